/* stm32g0xx.h: registers and interrupts of ST's STM32G0, as far as small programs use them (stm32_peripherals.h). */
#ifndef _BROWNOUT_STM32G0XX_H
#define _BROWNOUT_STM32G0XX_H
#define STM32G0
#define __NVIC_PRIO_BITS 2

typedef enum {
    NonMaskableInt_IRQn = -14, HardFault_IRQn = -13, SVC_IRQn = -5, PendSV_IRQn = -2, SysTick_IRQn = -1,
    WWDG_IRQn = 0, PVD_IRQn = 1, RTC_TAMP_IRQn = 2, FLASH_IRQn = 3, RCC_IRQn = 4, EXTI0_1_IRQn = 5,
    EXTI2_3_IRQn = 6, EXTI4_15_IRQn = 7, DMA1_Channel1_IRQn = 9, DMA1_Channel2_3_IRQn = 10, ADC1_COMP_IRQn = 12,
    TIM1_BRK_UP_TRG_COM_IRQn = 13, TIM1_CC_IRQn = 14, TIM2_IRQn = 15, TIM3_IRQn = 16, TIM6_DAC_LPTIM1_IRQn = 17,
    TIM7_LPTIM2_IRQn = 18, TIM14_IRQn = 19, TIM15_IRQn = 20, TIM16_IRQn = 21, TIM17_IRQn = 22, I2C1_IRQn = 23,
    I2C2_IRQn = 24, SPI1_IRQn = 25, SPI2_IRQn = 26, USART1_IRQn = 27, USART2_IRQn = 28, USART3_4_LPUART1_IRQn = 29,
    CEC_IRQn = 30
} IRQn_Type;

#include <core_cm0plus.h>
#include <stm32_peripherals.h>

typedef struct {
    __IO uint32_t CR, ICSCR, CFGR, PLLCFGR, gap0, gap1, CIER, CIFR, CICR, IOPRSTR, AHBRSTR, APBRSTR1, APBRSTR2,
        IOPENR, AHBENR, APBENR1, APBENR2, IOPSMENR, AHBSMENR, APBSMENR1, APBSMENR2, CCIPR, gap2, BDCR, CSR;
} RCC_TypeDef;
typedef struct {
    __IO uint32_t ACR, gap0, KEYR, OPTKEYR, SR, CR, ECCR, gap1, OPTR;
} FLASH_TypeDef;
typedef struct { __IO uint32_t CR1, CR2, CR3, CR4, SR1, SR2, SCR; } PWR_TypeDef;
typedef struct {
    __IO uint32_t RTSR1, FTSR1, SWIER1, RPR1, FPR1, gap0[19], EXTICR[4], gap1[4], IMR1, EMR1;
} EXTI_TypeDef;
typedef struct { __IO uint32_t CFGR1, gap[5], CFGR2; } SYSCFG_TypeDef;
typedef struct {
    __IO uint32_t TR, DR, SSR, ICSR, PRER, WUTR, CR, gap0[2], WPR, CALR, SHIFTR, TSTR, TSDR, TSSSR, gap1, ALRMAR,
        ALRMASSR, ALRMBR, ALRMBSSR, SR, MISR, gap2, SCR;
} RTC_TypeDef;
/* VBAT keeps the registers BKP0R to BKP4R. */
typedef struct {
    __IO uint32_t CR1, CR2, gap0, FLTCR, gap1[7], IER, SR, MISR, gap2, SCR, gap3[48];
    __IO uint32_t BKP0R, BKP1R, BKP2R, BKP3R, BKP4R;
} TAMP_TypeDef;

#define EXTI_BASE 0x40021800UL
#define TAMP_BASE 0x4000B000UL
#define GPIOA_BASE 0x50000000UL
#define GPIOF ((GPIO_TypeDef *)(GPIOA_BASE + 0x1400UL))
#define TAMP ((TAMP_TypeDef *)TAMP_BASE)
#define TIM3 ((TIM_TypeDef *)0x40000400UL)
#define TIM7 ((TIM_TypeDef *)0x40001400UL)
#define TIM14 ((TIM_TypeDef *)0x40002000UL)
#define USART3 ((USART_TypeDef *)0x40004800UL)
#define USART4 ((USART_TypeDef *)0x40004C00UL)
#define LPUART1 ((USART_TypeDef *)0x40008000UL)
#define LPTIM2 ((LPTIM_TypeDef *)0x40009400UL)
#define TIM1 ((TIM_TypeDef *)0x40012C00UL)
#define TIM16 ((TIM_TypeDef *)0x40014400UL)
#define TIM17 ((TIM_TypeDef *)0x40014800UL)

#define RCC_CR_HSION (1UL << 8)
#define RCC_CR_HSIRDY (1UL << 10)
#define RCC_CR_HSEON (1UL << 16)
#define RCC_CR_HSERDY (1UL << 17)
#define RCC_CR_PLLON (1UL << 24)
#define RCC_CR_PLLRDY (1UL << 25)
#define RCC_IOPENR_GPIOAEN (1UL << 0)
#define RCC_IOPENR_GPIOBEN (1UL << 1)
#define RCC_IOPENR_GPIOCEN (1UL << 2)
#define RCC_AHBENR_DMA1EN (1UL << 0)
#define RCC_AHBENR_FLASHEN (1UL << 8)
#define RCC_AHBENR_CRCEN (1UL << 12)
#define RCC_APBENR1_TIM2EN (1UL << 0)
#define RCC_APBENR1_TIM3EN (1UL << 1)
#define RCC_APBENR1_RTCAPBEN (1UL << 10)
#define RCC_APBENR1_SPI2EN (1UL << 14)
#define RCC_APBENR1_USART2EN (1UL << 17)
#define RCC_APBENR1_I2C1EN (1UL << 21)
#define RCC_APBENR1_PWREN (1UL << 28)
#define RCC_APBENR2_SYSCFGEN (1UL << 0)
#define RCC_APBENR2_SPI1EN (1UL << 12)
#define RCC_APBENR2_USART1EN (1UL << 14)
#define RCC_BDCR_LSEON (1UL << 0)
#define RCC_BDCR_LSERDY (1UL << 1)
#define RCC_BDCR_RTCEN (1UL << 15)
#define PWR_CR1_LPMS (7UL << 0)
#define PWR_CR1_DBP (1UL << 8)
#define FLASH_ACR_LATENCY (7UL << 0)
#define FLASH_ACR_PRFTEN (1UL << 8)
#define FLASH_SR_BSY1 (1UL << 16)
#define FLASH_CR_PG (1UL << 0)
#define FLASH_CR_PER (1UL << 1)
#define FLASH_CR_STRT (1UL << 16)
#define FLASH_CR_LOCK (1UL << 31)
#define EXTI_IMR1_IM0 (1UL << 0)
#define EXTI_IMR1_IM1 (1UL << 1)
#define EXTI_IMR1_IM2 (1UL << 2)
#define EXTI_IMR1_IM3 (1UL << 3)
#define EXTI_IMR1_IM4 (1UL << 4)
#define EXTI_IMR1_IM5 (1UL << 5)
#define EXTI_IMR1_IM6 (1UL << 6)
#define EXTI_IMR1_IM7 (1UL << 7)
#define EXTI_IMR1_IM8 (1UL << 8)
#define EXTI_IMR1_IM9 (1UL << 9)
#define EXTI_IMR1_IM10 (1UL << 10)
#define EXTI_IMR1_IM11 (1UL << 11)
#define EXTI_IMR1_IM12 (1UL << 12)
#define EXTI_IMR1_IM13 (1UL << 13)
#define EXTI_IMR1_IM14 (1UL << 14)
#define EXTI_IMR1_IM15 (1UL << 15)
#define EXTI_EMR1_EM0 (1UL << 0)
#define EXTI_EMR1_EM1 (1UL << 1)
#define EXTI_EMR1_EM2 (1UL << 2)
#define EXTI_EMR1_EM3 (1UL << 3)
#define EXTI_EMR1_EM4 (1UL << 4)
#define EXTI_EMR1_EM5 (1UL << 5)
#define EXTI_EMR1_EM6 (1UL << 6)
#define EXTI_EMR1_EM7 (1UL << 7)
#define EXTI_EMR1_EM8 (1UL << 8)
#define EXTI_EMR1_EM9 (1UL << 9)
#define EXTI_EMR1_EM10 (1UL << 10)
#define EXTI_EMR1_EM11 (1UL << 11)
#define EXTI_EMR1_EM12 (1UL << 12)
#define EXTI_EMR1_EM13 (1UL << 13)
#define EXTI_EMR1_EM14 (1UL << 14)
#define EXTI_EMR1_EM15 (1UL << 15)
#define EXTI_RTSR1_RT0 (1UL << 0)
#define EXTI_RTSR1_RT1 (1UL << 1)
#define EXTI_RTSR1_RT2 (1UL << 2)
#define EXTI_RTSR1_RT3 (1UL << 3)
#define EXTI_RTSR1_RT4 (1UL << 4)
#define EXTI_RTSR1_RT5 (1UL << 5)
#define EXTI_RTSR1_RT6 (1UL << 6)
#define EXTI_RTSR1_RT7 (1UL << 7)
#define EXTI_RTSR1_RT8 (1UL << 8)
#define EXTI_RTSR1_RT9 (1UL << 9)
#define EXTI_RTSR1_RT10 (1UL << 10)
#define EXTI_RTSR1_RT11 (1UL << 11)
#define EXTI_RTSR1_RT12 (1UL << 12)
#define EXTI_RTSR1_RT13 (1UL << 13)
#define EXTI_RTSR1_RT14 (1UL << 14)
#define EXTI_RTSR1_RT15 (1UL << 15)
#define EXTI_FTSR1_FT0 (1UL << 0)
#define EXTI_FTSR1_FT1 (1UL << 1)
#define EXTI_FTSR1_FT2 (1UL << 2)
#define EXTI_FTSR1_FT3 (1UL << 3)
#define EXTI_FTSR1_FT4 (1UL << 4)
#define EXTI_FTSR1_FT5 (1UL << 5)
#define EXTI_FTSR1_FT6 (1UL << 6)
#define EXTI_FTSR1_FT7 (1UL << 7)
#define EXTI_FTSR1_FT8 (1UL << 8)
#define EXTI_FTSR1_FT9 (1UL << 9)
#define EXTI_FTSR1_FT10 (1UL << 10)
#define EXTI_FTSR1_FT11 (1UL << 11)
#define EXTI_FTSR1_FT12 (1UL << 12)
#define EXTI_FTSR1_FT13 (1UL << 13)
#define EXTI_FTSR1_FT14 (1UL << 14)
#define EXTI_FTSR1_FT15 (1UL << 15)
#define EXTI_SWIER1_SWI0 (1UL << 0)
#define EXTI_SWIER1_SWI1 (1UL << 1)
#define EXTI_SWIER1_SWI2 (1UL << 2)
#define EXTI_SWIER1_SWI3 (1UL << 3)
#define EXTI_SWIER1_SWI4 (1UL << 4)
#define EXTI_SWIER1_SWI5 (1UL << 5)
#define EXTI_SWIER1_SWI6 (1UL << 6)
#define EXTI_SWIER1_SWI7 (1UL << 7)
#define EXTI_SWIER1_SWI8 (1UL << 8)
#define EXTI_SWIER1_SWI9 (1UL << 9)
#define EXTI_SWIER1_SWI10 (1UL << 10)
#define EXTI_SWIER1_SWI11 (1UL << 11)
#define EXTI_SWIER1_SWI12 (1UL << 12)
#define EXTI_SWIER1_SWI13 (1UL << 13)
#define EXTI_SWIER1_SWI14 (1UL << 14)
#define EXTI_SWIER1_SWI15 (1UL << 15)
#define EXTI_RPR1_RPIF0 (1UL << 0)
#define EXTI_RPR1_RPIF1 (1UL << 1)
#define EXTI_RPR1_RPIF2 (1UL << 2)
#define EXTI_RPR1_RPIF3 (1UL << 3)
#define EXTI_RPR1_RPIF4 (1UL << 4)
#define EXTI_RPR1_RPIF5 (1UL << 5)
#define EXTI_RPR1_RPIF6 (1UL << 6)
#define EXTI_RPR1_RPIF7 (1UL << 7)
#define EXTI_RPR1_RPIF8 (1UL << 8)
#define EXTI_RPR1_RPIF9 (1UL << 9)
#define EXTI_RPR1_RPIF10 (1UL << 10)
#define EXTI_RPR1_RPIF11 (1UL << 11)
#define EXTI_RPR1_RPIF12 (1UL << 12)
#define EXTI_RPR1_RPIF13 (1UL << 13)
#define EXTI_RPR1_RPIF14 (1UL << 14)
#define EXTI_RPR1_RPIF15 (1UL << 15)
#define EXTI_FPR1_FPIF0 (1UL << 0)
#define EXTI_FPR1_FPIF1 (1UL << 1)
#define EXTI_FPR1_FPIF2 (1UL << 2)
#define EXTI_FPR1_FPIF3 (1UL << 3)
#define EXTI_FPR1_FPIF4 (1UL << 4)
#define EXTI_FPR1_FPIF5 (1UL << 5)
#define EXTI_FPR1_FPIF6 (1UL << 6)
#define EXTI_FPR1_FPIF7 (1UL << 7)
#define EXTI_FPR1_FPIF8 (1UL << 8)
#define EXTI_FPR1_FPIF9 (1UL << 9)
#define EXTI_FPR1_FPIF10 (1UL << 10)
#define EXTI_FPR1_FPIF11 (1UL << 11)
#define EXTI_FPR1_FPIF12 (1UL << 12)
#define EXTI_FPR1_FPIF13 (1UL << 13)
#define EXTI_FPR1_FPIF14 (1UL << 14)
#define EXTI_FPR1_FPIF15 (1UL << 15)
#endif
