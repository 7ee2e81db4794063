/* stm32_rtc2.h: the real-time clock of the L0 and the L4, with the registers that VBAT keeps. */
#ifndef _BROWNOUT_STM32_RTC2_H
#define _BROWNOUT_STM32_RTC2_H
typedef struct {
    __IO uint32_t TR, DR, CR, ISR, PRER, WUTR, gap, ALRMAR, ALRMBR, WPR, SSR, SHIFTR, TSTR, TSDR, TSSSR, CALR, TAMPCR,
        ALRMASSR, ALRMBSSR, OR;
    __IO uint32_t BKP0R, BKP1R, BKP2R, BKP3R, BKP4R;
#if defined(__BROWNOUT_STM32L4__)
    __IO uint32_t BKP5R, BKP6R, BKP7R, BKP8R, BKP9R, BKP10R, BKP11R, BKP12R, BKP13R, BKP14R, BKP15R, BKP16R, BKP17R,
        BKP18R, BKP19R, BKP20R, BKP21R, BKP22R, BKP23R, BKP24R, BKP25R, BKP26R, BKP27R, BKP28R, BKP29R, BKP30R, BKP31R;
#endif
} RTC_TypeDef;
#define RTC_ISR_ALRAWF (1UL << 0)
#define RTC_ISR_WUTWF (1UL << 2)
#define RTC_ISR_RSF (1UL << 5)
#define RTC_ISR_INITF (1UL << 6)
#define RTC_ISR_INIT (1UL << 7)
#define RTC_ISR_ALRAF (1UL << 8)
#define RTC_ISR_WUTF (1UL << 10)
#endif
