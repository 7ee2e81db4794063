/* stm32l0xx.h: registers and interrupts of ST's STM32L0, as far as small programs use them (stm32_peripherals.h).
 * Its data EEPROM, from 0x08080000 on, is written like memory once PECR is unlocked; a word at a time is whole. */
#ifndef _BROWNOUT_STM32L0XX_H
#define _BROWNOUT_STM32L0XX_H
#define STM32L0
#define __NVIC_PRIO_BITS 2

typedef enum {
    NonMaskableInt_IRQn = -14, HardFault_IRQn = -13, SVC_IRQn = -5, PendSV_IRQn = -2, SysTick_IRQn = -1,
    WWDG_IRQn = 0, PVD_IRQn = 1, RTC_IRQn = 2, FLASH_IRQn = 3, RCC_IRQn = 4, EXTI0_1_IRQn = 5, EXTI2_3_IRQn = 6,
    EXTI4_15_IRQn = 7, TSC_IRQn = 8, DMA1_Channel1_IRQn = 9, DMA1_Channel2_3_IRQn = 10,
    DMA1_Channel4_5_6_7_IRQn = 11, ADC1_COMP_IRQn = 12, LPTIM1_IRQn = 13, TIM2_IRQn = 15, TIM6_DAC_IRQn = 17,
    TIM21_IRQn = 20, TIM22_IRQn = 22, I2C1_IRQn = 23, I2C2_IRQn = 24, SPI1_IRQn = 25, SPI2_IRQn = 26,
    USART1_IRQn = 27, USART2_IRQn = 28, LPUART1_IRQn = 29
} IRQn_Type;

#include <core_cm0plus.h>
#include <stm32_peripherals.h>
#include <stm32_rtc2.h>

typedef struct {
    __IO uint32_t CR, ICSCR, CRRCR, CFGR, CIER, CIFR, CICR, IOPRSTR, AHBRSTR, APB2RSTR, APB1RSTR, IOPENR, AHBENR,
        APB2ENR, APB1ENR, IOPSMENR, AHBSMENR, APB2SMENR, APB1SMENR, CCIPR, CSR;
} RCC_TypeDef;
typedef struct {
    __IO uint32_t ACR, PECR, PDKEYR, PEKEYR, PRGKEYR, OPTKEYR, SR, OPTR, WRPR;
} FLASH_TypeDef;
typedef struct { __IO uint32_t CR, CSR; } PWR_TypeDef;
typedef struct { __IO uint32_t IMR, EMR, RTSR, FTSR, SWIER, PR; } EXTI_TypeDef;
typedef struct { __IO uint32_t CFGR1, CFGR2, EXTICR[4], gap[2], CFGR3; } SYSCFG_TypeDef;

#define DATA_EEPROM_BASE 0x08080000UL
#define EXTI_BASE 0x40010400UL
#define GPIOA_BASE 0x50000000UL
#define LPUART1 ((USART_TypeDef *)0x40004800UL)
#define TIM21 ((TIM_TypeDef *)0x40010800UL)
#define TIM22 ((TIM_TypeDef *)0x40011400UL)

#define RCC_CR_HSION (1UL << 0)
#define RCC_CR_HSIRDY (1UL << 2)
#define RCC_CR_MSION (1UL << 8)
#define RCC_CR_MSIRDY (1UL << 9)
#define RCC_CR_HSEON (1UL << 16)
#define RCC_CR_HSERDY (1UL << 17)
#define RCC_CR_PLLON (1UL << 24)
#define RCC_CR_PLLRDY (1UL << 25)
#define RCC_IOPENR_IOPAEN (1UL << 0)
#define RCC_IOPENR_IOPBEN (1UL << 1)
#define RCC_IOPENR_IOPCEN (1UL << 2)
#define RCC_IOPENR_GPIOAEN RCC_IOPENR_IOPAEN
#define RCC_IOPENR_GPIOBEN RCC_IOPENR_IOPBEN
#define RCC_IOPENR_GPIOCEN RCC_IOPENR_IOPCEN
#define RCC_AHBENR_DMA1EN (1UL << 0)
#define RCC_AHBENR_MIFEN (1UL << 8)
#define RCC_AHBENR_CRCEN (1UL << 12)
#define RCC_APB1ENR_TIM2EN (1UL << 0)
#define RCC_APB1ENR_TIM6EN (1UL << 4)
#define RCC_APB1ENR_USART2EN (1UL << 17)
#define RCC_APB1ENR_LPUART1EN (1UL << 18)
#define RCC_APB1ENR_I2C1EN (1UL << 21)
#define RCC_APB1ENR_PWREN (1UL << 28)
#define RCC_APB1ENR_LPTIM1EN (1UL << 31)
#define RCC_APB2ENR_SYSCFGEN (1UL << 0)
#define RCC_APB2ENR_ADC1EN (1UL << 9)
#define RCC_APB2ENR_SPI1EN (1UL << 12)
#define RCC_APB2ENR_USART1EN (1UL << 14)
#define RCC_CSR_LSION (1UL << 0)
#define RCC_CSR_LSIRDY (1UL << 1)
#define RCC_CSR_LSEON (1UL << 8)
#define RCC_CSR_LSERDY (1UL << 9)
#define RCC_CSR_RTCEN (1UL << 18)
#define RCC_CSR_RMVF (1UL << 23)
#define RCC_CSR_PORRSTF (1UL << 27)
#define PWR_CR_LPSDSR (1UL << 0)
#define PWR_CR_PDDS (1UL << 1)
#define PWR_CR_CWUF (1UL << 2)
#define PWR_CR_PVDE (1UL << 4)
#define PWR_CR_DBP (1UL << 8)
#define PWR_CR_ULP (1UL << 9)
#define PWR_CSR_WUF (1UL << 0)
#define PWR_CSR_PVDO (1UL << 2)
#define FLASH_ACR_LATENCY (1UL << 0)
#define FLASH_ACR_PRFTEN (1UL << 1)
#define FLASH_PECR_PELOCK (1UL << 0)
#define FLASH_PECR_PRGLOCK (1UL << 1)
#define FLASH_PECR_PROG (1UL << 3)
#define FLASH_PECR_DATA (1UL << 4)
#define FLASH_PECR_ERASE (1UL << 9)
#define FLASH_SR_BSY (1UL << 0)
#define FLASH_SR_EOP (1UL << 1)
#define FLASH_SR_READY (1UL << 3)
#define FLASH_PEKEY1 0x89ABCDEFUL
#define FLASH_PEKEY2 0x02030405UL
#define FLASH_PRGKEY1 0x8C9DAEBFUL
#define FLASH_PRGKEY2 0x13141516UL
#define EXTI_IMR_IM0 (1UL << 0)
#define EXTI_PR_PR0 (1UL << 0)
#define EXTI_PR_PIF0 (1UL << 0)
#endif
