/* nrf52.h: registers and interrupts of Nordic's nRF52, as far as small programs use them, for programs that come
 * without Nordic's package.  Names, addresses and bits are those of Nordic's product specification; to the emulator
 * registers hold what was written to them, and zero after a reset: events do not come by themselves. */
#ifndef _BROWNOUT_NRF52_H
#define _BROWNOUT_NRF52_H
#define NRF52
#define __NVIC_PRIO_BITS 3
#define __FPU_PRESENT 1

typedef enum {
    NonMaskableInt_IRQn = -14, HardFault_IRQn = -13, MemoryManagement_IRQn = -12, BusFault_IRQn = -11,
    UsageFault_IRQn = -10, SVCall_IRQn = -5, DebugMonitor_IRQn = -4, PendSV_IRQn = -2, SysTick_IRQn = -1,
    POWER_CLOCK_IRQn = 0, RADIO_IRQn = 1, UARTE0_UART0_IRQn = 2, SPIM0_SPIS0_TWIM0_TWIS0_SPI0_TWI0_IRQn = 3,
    SPIM1_SPIS1_TWIM1_TWIS1_SPI1_TWI1_IRQn = 4, NFCT_IRQn = 5, GPIOTE_IRQn = 6, SAADC_IRQn = 7, TIMER0_IRQn = 8,
    TIMER1_IRQn = 9, TIMER2_IRQn = 10, RTC0_IRQn = 11, TEMP_IRQn = 12, RNG_IRQn = 13, ECB_IRQn = 14,
    CCM_AAR_IRQn = 15, WDT_IRQn = 16, RTC1_IRQn = 17, QDEC_IRQn = 18, COMP_LPCOMP_IRQn = 19, SWI0_EGU0_IRQn = 20,
    SWI1_EGU1_IRQn = 21, SWI2_EGU2_IRQn = 22, SWI3_EGU3_IRQn = 23, SWI4_EGU4_IRQn = 24, SWI5_EGU5_IRQn = 25,
    TIMER3_IRQn = 26, TIMER4_IRQn = 27, PWM0_IRQn = 28, PDM_IRQn = 29, MWU_IRQn = 32, PWM1_IRQn = 33, PWM2_IRQn = 34,
    SPIM2_SPIS2_SPI2_IRQn = 35, RTC2_IRQn = 36, I2S_IRQn = 37, FPU_IRQn = 38
} IRQn_Type;

#include <core_cm4.h>

typedef struct {
    uint32_t gap0[321];
    __IOM uint32_t OUT, OUTSET, OUTCLR, IN, DIR, DIRSET, DIRCLR, LATCH, DETECTMODE;
    uint32_t gap1[118];
    __IOM uint32_t PIN_CNF[32];
} NRF_GPIO_Type;
typedef struct {
    __IOM uint32_t TASKS_HFCLKSTART, TASKS_HFCLKSTOP, TASKS_LFCLKSTART, TASKS_LFCLKSTOP, TASKS_CAL;
    uint32_t gap0[59];
    __IOM uint32_t EVENTS_HFCLKSTARTED, EVENTS_LFCLKSTARTED;
    uint32_t gap1[127];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap2[63];
    __IOM uint32_t HFCLKRUN, HFCLKSTAT;
    uint32_t gap3[1];
    __IOM uint32_t LFCLKRUN, LFCLKSTAT;
    uint32_t gap4[63];
    __IOM uint32_t LFCLKSRC;
} NRF_CLOCK_Type;
typedef struct {
    uint32_t gap0[30];
    __IOM uint32_t TASKS_CONSTLAT, TASKS_LOWPWR;
    uint32_t gap1[34];
    __IOM uint32_t EVENTS_POFWARN;
    uint32_t gap2[2];
    __IOM uint32_t EVENTS_SLEEPENTER, EVENTS_SLEEPEXIT;
    uint32_t gap3[122];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap4[61];
    __IOM uint32_t RESETREAS;
    uint32_t gap5[9];
    __IOM uint32_t RAMSTATUS;
    uint32_t gap6[53];
    __IOM uint32_t SYSTEMOFF;
    uint32_t gap7[3];
    __IOM uint32_t POFCON;
    uint32_t gap8[2];
    __IOM uint32_t GPREGRET, GPREGRET2;
    uint32_t gap9[21];
    __IOM uint32_t DCDCEN;
} NRF_POWER_Type;
typedef struct {
    __IOM uint32_t TASKS_START, TASKS_STOP, TASKS_COUNT, TASKS_CLEAR, TASKS_SHUTDOWN;
    uint32_t gap0[11];
    __IOM uint32_t TASKS_CAPTURE[6];
    uint32_t gap1[58];
    __IOM uint32_t EVENTS_COMPARE[6];
    uint32_t gap2[42];
    __IOM uint32_t SHORTS;
    uint32_t gap3[64];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap4[126];
    __IOM uint32_t MODE, BITMODE;
    uint32_t gap5[1];
    __IOM uint32_t PRESCALER;
    uint32_t gap6[11];
    __IOM uint32_t CC[6];
} NRF_TIMER_Type;
typedef struct {
    __IOM uint32_t TASKS_START, TASKS_STOP, TASKS_CLEAR, TASKS_TRIGOVRFLW;
    uint32_t gap0[60];
    __IOM uint32_t EVENTS_TICK, EVENTS_OVRFLW;
    uint32_t gap1[14];
    __IOM uint32_t EVENTS_COMPARE[4];
    uint32_t gap2[109];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap3[13];
    __IOM uint32_t EVTEN, EVTENSET, EVTENCLR;
    uint32_t gap4[110];
    __IOM uint32_t COUNTER, PRESCALER;
    uint32_t gap5[13];
    __IOM uint32_t CC[4];
} NRF_RTC_Type;
typedef struct {
    __IOM uint32_t TASKS_STARTRX, TASKS_STOPRX, TASKS_STARTTX, TASKS_STOPTX;
    uint32_t gap0[60];
    __IOM uint32_t EVENTS_CTS, EVENTS_NCTS, EVENTS_RXDRDY;
    uint32_t gap1[4];
    __IOM uint32_t EVENTS_TXDRDY;
    uint32_t gap2[1];
    __IOM uint32_t EVENTS_ERROR;
    uint32_t gap3[119];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap4[93];
    __IOM uint32_t ERRORSRC;
    uint32_t gap5[31];
    __IOM uint32_t ENABLE;
    uint32_t gap6[1];
    __IOM uint32_t PSELRTS, PSELTXD, PSELCTS, PSELRXD, RXD, TXD;
    uint32_t gap7[1];
    __IOM uint32_t BAUDRATE;
    uint32_t gap8[17];
    __IOM uint32_t CONFIG;
} NRF_UART_Type;
typedef struct {
    __IOM uint32_t TASKS_OUT[8];
    uint32_t gap0[4];
    __IOM uint32_t TASKS_SET[8];
    uint32_t gap1[4];
    __IOM uint32_t TASKS_CLR[8];
    uint32_t gap2[32];
    __IOM uint32_t EVENTS_IN[8];
    uint32_t gap3[23];
    __IOM uint32_t EVENTS_PORT;
    uint32_t gap4[97];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap5[129];
    __IOM uint32_t CONFIG[8];
} NRF_GPIOTE_Type;
typedef struct {
    __IOM uint32_t TASKS_START, TASKS_STOP;
    uint32_t gap0[62];
    __IOM uint32_t EVENTS_DATARDY;
    uint32_t gap1[128];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap2[127];
    __IOM uint32_t TEMP;
} NRF_TEMP_Type;
typedef struct {
    __IOM uint32_t TASKS_START, TASKS_STOP;
    uint32_t gap0[62];
    __IOM uint32_t EVENTS_VALRDY;
    uint32_t gap1[63];
    __IOM uint32_t SHORTS;
    uint32_t gap2[64];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap3[126];
    __IOM uint32_t CONFIG, VALUE;
} NRF_RNG_Type;
typedef struct {
    __IOM uint32_t TASKS_START;
    uint32_t gap0[63];
    __IOM uint32_t EVENTS_TIMEOUT;
    uint32_t gap1[128];
    __IOM uint32_t INTENSET, INTENCLR;
    uint32_t gap2[61];
    __IOM uint32_t RUNSTATUS, REQSTATUS;
    uint32_t gap3[63];
    __IOM uint32_t CRV, RREN, CONFIG;
    uint32_t gap4[60];
    __IOM uint32_t RR[8];
} NRF_WDT_Type;
typedef struct {
    uint32_t gap0[256];
    __IOM uint32_t READY;
    uint32_t gap1[1];
    __IOM uint32_t READYNEXT;
    uint32_t gap2[62];
    __IOM uint32_t CONFIG, ERASEPAGE, ERASEALL, ERASEPCR0, ERASEUICR;
    uint32_t gap3[10];
    __IOM uint32_t ICACHECNF;
} NRF_NVMC_Type;
typedef struct {
    uint32_t gap0[4];
    __IOM uint32_t CODEPAGESIZE, CODESIZE;
    uint32_t gap1[18];
    __IOM uint32_t DEVICEID[2];
    uint32_t gap2[14];
    __IOM uint32_t DEVICEADDRTYPE, DEVICEADDR[2];
} NRF_FICR_Type;

#define NRF_CLOCK ((NRF_CLOCK_Type *)0x40000000UL)
#define NRF_POWER ((NRF_POWER_Type *)0x40000000UL)
#define NRF_UART0 ((NRF_UART_Type *)0x40002000UL)
#define NRF_GPIOTE ((NRF_GPIOTE_Type *)0x40006000UL)
#define NRF_TIMER0 ((NRF_TIMER_Type *)0x40008000UL)
#define NRF_TIMER1 ((NRF_TIMER_Type *)0x40009000UL)
#define NRF_TIMER2 ((NRF_TIMER_Type *)0x4000A000UL)
#define NRF_RTC0 ((NRF_RTC_Type *)0x4000B000UL)
#define NRF_TEMP ((NRF_TEMP_Type *)0x4000C000UL)
#define NRF_RNG ((NRF_RNG_Type *)0x4000D000UL)
#define NRF_WDT ((NRF_WDT_Type *)0x40010000UL)
#define NRF_RTC1 ((NRF_RTC_Type *)0x40011000UL)
#define NRF_TIMER3 ((NRF_TIMER_Type *)0x4001A000UL)
#define NRF_TIMER4 ((NRF_TIMER_Type *)0x4001B000UL)
#define NRF_NVMC ((NRF_NVMC_Type *)0x4001E000UL)
#define NRF_RTC2 ((NRF_RTC_Type *)0x40024000UL)
#define NRF_P0 ((NRF_GPIO_Type *)0x50000000UL)
#define NRF_P1 ((NRF_GPIO_Type *)0x50000300UL)
#define NRF_FICR ((NRF_FICR_Type *)0x10000000UL)
#define NRF_GPIO NRF_P0

#define CLOCK_HFCLKSTAT_STATE_Msk (1UL << 16)
#define CLOCK_LFCLKSRC_SRC_RC 0UL
#define CLOCK_LFCLKSRC_SRC_Xtal 1UL
#define CLOCK_LFCLKSRC_SRC_Pos 0U
#define GPIO_PIN_CNF_DIR_Pos 0U
#define GPIO_PIN_CNF_DIR_Input 0UL
#define GPIO_PIN_CNF_DIR_Output 1UL
#define GPIO_PIN_CNF_INPUT_Pos 1U
#define GPIO_PIN_CNF_INPUT_Connect 0UL
#define GPIO_PIN_CNF_INPUT_Disconnect 1UL
#define GPIO_PIN_CNF_PULL_Pos 2U
#define GPIO_PIN_CNF_PULL_Disabled 0UL
#define GPIO_PIN_CNF_PULL_Pullup 3UL
#define TIMER_BITMODE_BITMODE_Pos 0U
#define TIMER_BITMODE_BITMODE_16Bit 0UL
#define TIMER_BITMODE_BITMODE_32Bit 3UL
#define TIMER_MODE_MODE_Timer 0UL
#define TIMER_SHORTS_COMPARE0_CLEAR_Msk (1UL << 0)
#define TIMER_INTENSET_COMPARE0_Msk (1UL << 16)
#define TIMER_INTENSET_COMPARE0_Pos 16U
#define TIMER_INTENSET_COMPARE0_Enabled 1UL
#define RTC_INTENSET_TICK_Msk (1UL << 0)
#define RTC_INTENSET_OVRFLW_Msk (1UL << 1)
#define RTC_INTENSET_COMPARE0_Msk (1UL << 16)
#define RTC_EVTENSET_COMPARE0_Msk (1UL << 16)
#define POWER_SYSTEMOFF_SYSTEMOFF_Enter 1UL
#define POWER_RESETREAS_RESETPIN_Msk (1UL << 0)
#define POWER_RESETREAS_DOG_Msk (1UL << 1)
#define POWER_RESETREAS_SREQ_Msk (1UL << 2)
#define POWER_POFCON_POF_Msk (1UL << 0)
#define POWER_INTENSET_POFWARN_Msk (1UL << 2)
#define UART_ENABLE_ENABLE_Pos 0U
#define UART_ENABLE_ENABLE_Enabled 4UL
#define UART_BAUDRATE_BAUDRATE_Baud115200 0x01D7E000UL
#define UART_BAUDRATE_BAUDRATE_Baud9600 0x00275000UL
#define UART_INTENSET_RXDRDY_Msk (1UL << 2)
#define UART_INTENSET_TXDRDY_Msk (1UL << 7)
#define WDT_RR_RR_Reload 0x6E524635UL
#define NVMC_READY_READY_Msk (1UL << 0)
#define NVMC_READY_READY_Busy 0UL
#define NVMC_READY_READY_Ready 1UL
#define NVMC_CONFIG_WEN_Pos 0U
#define NVMC_CONFIG_WEN_Ren 0UL
#define NVMC_CONFIG_WEN_Wen 1UL
#define NVMC_CONFIG_WEN_Een 2UL
#endif
