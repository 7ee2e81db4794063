/* stm32l4xx.h: registers and interrupts of ST's STM32L4, as far as small programs use them (stm32_peripherals.h). */
#ifndef _BROWNOUT_STM32L4XX_H
#define _BROWNOUT_STM32L4XX_H
#define __BROWNOUT_STM32L4__
#define STM32L4
#define __NVIC_PRIO_BITS 4
#define __FPU_PRESENT 1

typedef enum {
    NonMaskableInt_IRQn = -14, HardFault_IRQn = -13, MemoryManagement_IRQn = -12, BusFault_IRQn = -11,
    UsageFault_IRQn = -10, SVCall_IRQn = -5, DebugMonitor_IRQn = -4, PendSV_IRQn = -2, SysTick_IRQn = -1,
    WWDG_IRQn = 0, PVD_PVM_IRQn = 1, TAMP_STAMP_IRQn = 2, RTC_WKUP_IRQn = 3, FLASH_IRQn = 4, RCC_IRQn = 5,
    EXTI0_IRQn = 6, EXTI1_IRQn = 7, EXTI2_IRQn = 8, EXTI3_IRQn = 9, EXTI4_IRQn = 10, DMA1_Channel1_IRQn = 11,
    DMA1_Channel2_IRQn = 12, DMA1_Channel3_IRQn = 13, DMA1_Channel4_IRQn = 14, DMA1_Channel5_IRQn = 15,
    DMA1_Channel6_IRQn = 16, DMA1_Channel7_IRQn = 17, ADC1_2_IRQn = 18, EXTI9_5_IRQn = 23, TIM1_BRK_TIM15_IRQn = 24,
    TIM1_UP_TIM16_IRQn = 25, TIM1_TRG_COM_TIM17_IRQn = 26, TIM1_CC_IRQn = 27, TIM2_IRQn = 28, TIM3_IRQn = 29,
    TIM4_IRQn = 30, I2C1_EV_IRQn = 31, I2C1_ER_IRQn = 32, I2C2_EV_IRQn = 33, I2C2_ER_IRQn = 34, SPI1_IRQn = 35,
    SPI2_IRQn = 36, USART1_IRQn = 37, USART2_IRQn = 38, USART3_IRQn = 39, EXTI15_10_IRQn = 40, RTC_Alarm_IRQn = 41,
    TIM5_IRQn = 50, SPI3_IRQn = 51, UART4_IRQn = 52, UART5_IRQn = 53, TIM6_DAC_IRQn = 54, TIM7_IRQn = 55,
    COMP_IRQn = 64, LPTIM1_IRQn = 65, LPTIM2_IRQn = 66, LPUART1_IRQn = 70, I2C3_EV_IRQn = 72, I2C3_ER_IRQn = 73,
    RNG_IRQn = 80, FPU_IRQn = 81
} IRQn_Type;

#include <core_cm4.h>
#include <stm32_peripherals.h>
#include <stm32_rtc2.h>

typedef struct {
    __IO uint32_t CR, ICSCR, CFGR, PLLCFGR, PLLSAI1CFGR, PLLSAI2CFGR, CIER, CIFR, CICR, gap0, AHB1RSTR, AHB2RSTR,
        AHB3RSTR, gap1, APB1RSTR1, APB1RSTR2, APB2RSTR, gap2, AHB1ENR, AHB2ENR, AHB3ENR, gap3, APB1ENR1, APB1ENR2,
        APB2ENR, gap4, AHB1SMENR, AHB2SMENR, AHB3SMENR, gap5, APB1SMENR1, APB1SMENR2, APB2SMENR, gap6, CCIPR, gap7,
        BDCR, CSR, CRRCR, CCIPR2;
} RCC_TypeDef;
typedef struct {
    __IO uint32_t ACR, PDKEYR, KEYR, OPTKEYR, SR, CR, ECCR, gap, OPTR;
} FLASH_TypeDef;
typedef struct { __IO uint32_t CR1, CR2, CR3, CR4, SR1, SR2, SCR; } PWR_TypeDef;
typedef struct {
    __IO uint32_t IMR1, EMR1, RTSR1, FTSR1, SWIER1, PR1, gap0, gap1, IMR2, EMR2, RTSR2, FTSR2, SWIER2, PR2;
} EXTI_TypeDef;
typedef struct { __IO uint32_t MEMRMP, CFGR1, EXTICR[4], SCSR, CFGR2, SWPR, SKR; } SYSCFG_TypeDef;

#define EXTI_BASE 0x40010400UL
#define GPIOA_BASE 0x48000000UL
#define GPIOF ((GPIO_TypeDef *)(GPIOA_BASE + 0x1400UL))
#define GPIOG ((GPIO_TypeDef *)(GPIOA_BASE + 0x1800UL))
#define TIM3 ((TIM_TypeDef *)0x40000400UL)
#define TIM4 ((TIM_TypeDef *)0x40000800UL)
#define TIM5 ((TIM_TypeDef *)0x40000C00UL)
#define TIM7 ((TIM_TypeDef *)0x40001400UL)
#define SPI3 ((SPI_TypeDef *)0x40003C00UL)
#define USART3 ((USART_TypeDef *)0x40004800UL)
#define UART4 ((USART_TypeDef *)0x40004C00UL)
#define I2C3 ((I2C_TypeDef *)0x40005C00UL)
#define LPUART1 ((USART_TypeDef *)0x40008000UL)
#define LPTIM2 ((LPTIM_TypeDef *)0x40009400UL)
#define TIM1 ((TIM_TypeDef *)0x40012C00UL)
#define TIM15 ((TIM_TypeDef *)0x40014000UL)
#define TIM16 ((TIM_TypeDef *)0x40014400UL)
#define RNG ((RNG_TypeDef *)0x50060800UL)

#define RCC_CR_MSION (1UL << 0)
#define RCC_CR_MSIRDY (1UL << 1)
#define RCC_CR_HSION (1UL << 8)
#define RCC_CR_HSIRDY (1UL << 10)
#define RCC_CR_HSEON (1UL << 16)
#define RCC_CR_HSERDY (1UL << 17)
#define RCC_CR_PLLON (1UL << 24)
#define RCC_CR_PLLRDY (1UL << 25)
#define RCC_CFGR_SW (3UL << 0)
#define RCC_CFGR_SW_HSI (1UL << 0)
#define RCC_CFGR_SW_PLL (3UL << 0)
#define RCC_CFGR_SWS (3UL << 2)
#define RCC_CFGR_SWS_HSI (1UL << 2)
#define RCC_CFGR_SWS_PLL (3UL << 2)
#define RCC_AHB1ENR_DMA1EN (1UL << 0)
#define RCC_AHB1ENR_CRCEN (1UL << 12)
#define RCC_AHB2ENR_GPIOAEN (1UL << 0)
#define RCC_AHB2ENR_GPIOBEN (1UL << 1)
#define RCC_AHB2ENR_GPIOCEN (1UL << 2)
#define RCC_AHB2ENR_ADCEN (1UL << 13)
#define RCC_AHB2ENR_RNGEN (1UL << 18)
#define RCC_APB1ENR1_TIM2EN (1UL << 0)
#define RCC_APB1ENR1_TIM3EN (1UL << 1)
#define RCC_APB1ENR1_TIM6EN (1UL << 4)
#define RCC_APB1ENR1_TIM7EN (1UL << 5)
#define RCC_APB1ENR1_RTCAPBEN (1UL << 10)
#define RCC_APB1ENR1_SPI2EN (1UL << 14)
#define RCC_APB1ENR1_USART2EN (1UL << 17)
#define RCC_APB1ENR1_I2C1EN (1UL << 21)
#define RCC_APB1ENR1_PWREN (1UL << 28)
#define RCC_APB1ENR1_LPTIM1EN (1UL << 31)
#define RCC_APB1ENR2_LPUART1EN (1UL << 0)
#define RCC_APB2ENR_SYSCFGEN (1UL << 0)
#define RCC_APB2ENR_SPI1EN (1UL << 12)
#define RCC_APB2ENR_USART1EN (1UL << 14)
#define RCC_BDCR_LSEON (1UL << 0)
#define RCC_BDCR_LSERDY (1UL << 1)
#define RCC_BDCR_RTCEN (1UL << 15)
#define RCC_CSR_LSION (1UL << 0)
#define RCC_CSR_LSIRDY (1UL << 1)
#define RCC_CSR_RMVF (1UL << 23)
#define RCC_CSR_BORRSTF (1UL << 27)
#define RCC_CSR_IWDGRSTF (1UL << 29)
#define PWR_CR1_LPMS (7UL << 0)
#define PWR_CR1_DBP (1UL << 8)
#define PWR_CR2_PVDE (1UL << 0)
#define PWR_SR2_PVDO (1UL << 11)
#define PWR_SCR_CWUF (0x1FUL << 0)
#define FLASH_ACR_LATENCY (7UL << 0)
#define FLASH_ACR_LATENCY_4WS (4UL << 0)
#define FLASH_ACR_PRFTEN (1UL << 8)
#define FLASH_ACR_ICEN (1UL << 9)
#define FLASH_ACR_DCEN (1UL << 10)
#define FLASH_SR_EOP (1UL << 0)
#define FLASH_SR_BSY (1UL << 16)
#define FLASH_CR_PG (1UL << 0)
#define FLASH_CR_PER (1UL << 1)
#define FLASH_CR_PNB_Pos 3U
#define FLASH_CR_PNB (0xFFUL << 3)
#define FLASH_CR_STRT (1UL << 16)
#define FLASH_CR_LOCK (1UL << 31)
#define EXTI_IMR1_IM0 (1UL << 0)
#define EXTI_IMR1_IM13 (1UL << 13)
#define EXTI_PR1_PIF0 (1UL << 0)
#define EXTI_PR1_PIF13 (1UL << 13)
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
#define EXTI_PR1_PIF1 (1UL << 1)
#define EXTI_PR1_PIF2 (1UL << 2)
#define EXTI_PR1_PIF3 (1UL << 3)
#define EXTI_PR1_PIF4 (1UL << 4)
#define EXTI_PR1_PIF5 (1UL << 5)
#define EXTI_PR1_PIF6 (1UL << 6)
#define EXTI_PR1_PIF7 (1UL << 7)
#define EXTI_PR1_PIF8 (1UL << 8)
#define EXTI_PR1_PIF9 (1UL << 9)
#define EXTI_PR1_PIF10 (1UL << 10)
#define EXTI_PR1_PIF11 (1UL << 11)
#define EXTI_PR1_PIF12 (1UL << 12)
#define EXTI_PR1_PIF14 (1UL << 14)
#define EXTI_PR1_PIF15 (1UL << 15)
#endif
