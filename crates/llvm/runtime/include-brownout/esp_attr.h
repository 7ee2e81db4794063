/* esp_attr.h: where an ESP32 keeps variables, for programs that come without ESP-IDF.  RTC memory keeps
 * what it holds in a deep sleep. */
#ifndef _BROWNOUT_ESP_ATTR_H
#define _BROWNOUT_ESP_ATTR_H
#ifndef RTC_DATA_ATTR
#define RTC_DATA_ATTR __attribute__((section(".rtc.data")))
#endif
#ifndef RTC_NOINIT_ATTR
#define RTC_NOINIT_ATTR __attribute__((section(".rtc_noinit")))
#endif
#ifndef IRAM_ATTR
#define IRAM_ATTR
#endif
#ifndef DRAM_ATTR
#define DRAM_ATTR
#endif
#endif
