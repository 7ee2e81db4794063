/* avr/sleep.h: the processor waits for an interrupt. */
#ifndef _BROWNOUT_AVR_SLEEP_H
#define _BROWNOUT_AVR_SLEEP_H
#ifdef __cplusplus
extern "C" {
#endif
void __brownout_wait(void);
#ifdef __cplusplus
}
#endif
#define SLEEP_MODE_IDLE 0
#define SLEEP_MODE_ADC 2
#define SLEEP_MODE_PWR_DOWN 4
#define SLEEP_MODE_PWR_SAVE 6
#define SLEEP_MODE_STANDBY 12
#define SLEEP_MODE_EXT_STANDBY 14
#define set_sleep_mode(mode) ((void)(mode))
#define sleep_enable() ((void)0)
#define sleep_disable() ((void)0)
#define sleep_bod_disable() ((void)0)
#define sleep_cpu() __brownout_wait()
#define sleep_mode() __brownout_wait()
#endif
