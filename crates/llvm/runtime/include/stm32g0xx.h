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
#endif
