/* esp_sleep.h: the sleeps of an ESP32, for programs that come without ESP-IDF.  It comes out of a deep sleep
 * as out of a reset: the program ends there, and boots again. */
#ifndef _BROWNOUT_ESP_SLEEP_H
#define _BROWNOUT_ESP_SLEEP_H
#include <brownout.h>
#include <esp_attr.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum {
    ESP_SLEEP_WAKEUP_UNDEFINED,
    ESP_SLEEP_WAKEUP_ALL,
    ESP_SLEEP_WAKEUP_EXT0,
    ESP_SLEEP_WAKEUP_EXT1,
    ESP_SLEEP_WAKEUP_TIMER,
    ESP_SLEEP_WAKEUP_TOUCHPAD,
    ESP_SLEEP_WAKEUP_ULP,
    ESP_SLEEP_WAKEUP_GPIO,
    ESP_SLEEP_WAKEUP_UART
} esp_sleep_wakeup_cause_t;
#ifdef __cplusplus
extern "C" {
#endif
int brownout_esp_wakeup_cause(void) BROWNOUT_INPUT_RANGE(0, 8);
#ifdef __cplusplus
}
#endif
static inline esp_sleep_wakeup_cause_t esp_sleep_get_wakeup_cause(void) {
    return (esp_sleep_wakeup_cause_t)brownout_esp_wakeup_cause();
}
static inline int esp_sleep_enable_timer_wakeup(uint64_t microseconds) {
    (void)microseconds;
    return 0;
}
static inline int esp_sleep_enable_ext0_wakeup(int pin, int level) {
    (void)pin;
    (void)level;
    return 0;
}
static inline int esp_sleep_enable_ext1_wakeup(uint64_t pins, int level) {
    (void)pins;
    (void)level;
    return 0;
}
static inline int esp_light_sleep_start(void) { return 0; }
static inline void esp_deep_sleep_start(void) { exit(0); }
static inline void esp_deep_sleep(uint64_t microseconds) {
    (void)microseconds;
    exit(0);
}
#endif
