/* avr/power.h: clocks of peripherals, which cost nothing here. */
#ifndef _BROWNOUT_AVR_POWER_H
#define _BROWNOUT_AVR_POWER_H
#define power_adc_enable() ((void)0)
#define power_adc_disable() ((void)0)
#define power_all_enable() ((void)0)
#define power_all_disable() ((void)0)
#define power_spi_enable() ((void)0)
#define power_spi_disable() ((void)0)
#define power_timer0_enable() ((void)0)
#define power_timer0_disable() ((void)0)
#define power_timer1_enable() ((void)0)
#define power_timer1_disable() ((void)0)
#define power_timer2_enable() ((void)0)
#define power_timer2_disable() ((void)0)
#define power_twi_enable() ((void)0)
#define power_twi_disable() ((void)0)
#define power_usart0_enable() ((void)0)
#define power_usart0_disable() ((void)0)
#define power_usart1_enable() ((void)0)
#define power_usart1_disable() ((void)0)
#define power_usi_enable() ((void)0)
#define power_usi_disable() ((void)0)
typedef enum { clock_div_1, clock_div_2, clock_div_4, clock_div_8, clock_div_16, clock_div_32, clock_div_64, clock_div_128, clock_div_256 } clock_div_t;
#define clock_prescale_set(division) ((void)(division))
#endif
