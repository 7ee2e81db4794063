/* stm32_peripherals.h: the peripherals that ST's small families (L0, L4, G0) share, for programs that come without
 * ST's package.  Structures, addresses and bits are those of ST's reference manuals; to the emulator registers hold
 * what was written to them, and zero after a reset.  The header of a family (stm32l4xx.h) says where they are.
 * Flash that its controller programs and erases is not emulated; the chip (`chip = "stm32l4"`) says so. */
#ifndef _BROWNOUT_STM32_PERIPHERALS_H
#define _BROWNOUT_STM32_PERIPHERALS_H

typedef struct {
    __IO uint32_t MODER, OTYPER, OSPEEDR, PUPDR, IDR, ODR, BSRR, LCKR, AFR[2], BRR;
} GPIO_TypeDef;
typedef struct {
    __IO uint32_t CR1, CR2, CR3, BRR, GTPR, RTOR, RQR, ISR, ICR, RDR, TDR, PRESC;
} USART_TypeDef;
typedef struct {
    __IO uint32_t CR1, CR2, OAR1, OAR2, TIMINGR, TIMEOUTR, ISR, ICR, PECR, RXDR, TXDR;
} I2C_TypeDef;
typedef struct { __IO uint32_t CR1, CR2, SR, DR, CRCPR, RXCRCR, TXCRCR, I2SCFGR, I2SPR; } SPI_TypeDef;
typedef struct {
    __IO uint32_t CR1, CR2, SMCR, DIER, SR, EGR, CCMR1, CCMR2, CCER, CNT, PSC, ARR, RCR, CCR1, CCR2, CCR3, CCR4,
        BDTR, DCR, DMAR, OR1;
} TIM_TypeDef;
typedef struct { __IO uint32_t ISR, ICR, IER, CFGR, CR, CMP, ARR, CNT, OR; } LPTIM_TypeDef;
typedef struct { __IO uint32_t KR, PR, RLR, SR, WINR; } IWDG_TypeDef;
typedef struct { __IO uint32_t CR, CFR, SR; } WWDG_TypeDef;
typedef struct { __IO uint32_t DR, IDR, CR, gap, INIT, POL; } CRC_TypeDef;
typedef struct { __IO uint32_t CR, SR, DR; } RNG_TypeDef;
typedef struct { __IO uint32_t ISR, IFCR; } DMA_TypeDef;
typedef struct { __IO uint32_t CCR, CNDTR, CPAR, CMAR; } DMA_Channel_TypeDef;

#define READ_BIT(register, bits) ((register) & (bits))
#define SET_BIT(register, bits) ((register) |= (bits))
#define CLEAR_BIT(register, bits) ((register) &= ~(bits))
#define CLEAR_REG(register) ((register) = 0)
#define WRITE_REG(register, value) ((register) = (value))
#define READ_REG(register) ((register))
#define MODIFY_REG(register, clear, set) ((register) = ((register) & ~(clear)) | (set))

#define GPIO_BSRR_BS_0 (1UL << 0)
#define GPIO_BSRR_BS_1 (1UL << 1)
#define GPIO_BSRR_BS_2 (1UL << 2)
#define GPIO_BSRR_BS_3 (1UL << 3)
#define GPIO_BSRR_BS_4 (1UL << 4)
#define GPIO_BSRR_BS_5 (1UL << 5)
#define GPIO_BSRR_BS_6 (1UL << 6)
#define GPIO_BSRR_BS_7 (1UL << 7)
#define GPIO_BSRR_BS_8 (1UL << 8)
#define GPIO_BSRR_BS_9 (1UL << 9)
#define GPIO_BSRR_BS_10 (1UL << 10)
#define GPIO_BSRR_BS_11 (1UL << 11)
#define GPIO_BSRR_BS_12 (1UL << 12)
#define GPIO_BSRR_BS_13 (1UL << 13)
#define GPIO_BSRR_BS_14 (1UL << 14)
#define GPIO_BSRR_BS_15 (1UL << 15)
#define GPIO_BSRR_BS0 (1UL << 0)
#define GPIO_BSRR_BS1 (1UL << 1)
#define GPIO_BSRR_BS2 (1UL << 2)
#define GPIO_BSRR_BS3 (1UL << 3)
#define GPIO_BSRR_BS4 (1UL << 4)
#define GPIO_BSRR_BS5 (1UL << 5)
#define GPIO_BSRR_BS6 (1UL << 6)
#define GPIO_BSRR_BS7 (1UL << 7)
#define GPIO_BSRR_BS8 (1UL << 8)
#define GPIO_BSRR_BS9 (1UL << 9)
#define GPIO_BSRR_BS10 (1UL << 10)
#define GPIO_BSRR_BS11 (1UL << 11)
#define GPIO_BSRR_BS12 (1UL << 12)
#define GPIO_BSRR_BS13 (1UL << 13)
#define GPIO_BSRR_BS14 (1UL << 14)
#define GPIO_BSRR_BS15 (1UL << 15)
#define GPIO_BSRR_BR_0 (1UL << 16)
#define GPIO_BSRR_BR_1 (1UL << 17)
#define GPIO_BSRR_BR_2 (1UL << 18)
#define GPIO_BSRR_BR_3 (1UL << 19)
#define GPIO_BSRR_BR_4 (1UL << 20)
#define GPIO_BSRR_BR_5 (1UL << 21)
#define GPIO_BSRR_BR_6 (1UL << 22)
#define GPIO_BSRR_BR_7 (1UL << 23)
#define GPIO_BSRR_BR_8 (1UL << 24)
#define GPIO_BSRR_BR_9 (1UL << 25)
#define GPIO_BSRR_BR_10 (1UL << 26)
#define GPIO_BSRR_BR_11 (1UL << 27)
#define GPIO_BSRR_BR_12 (1UL << 28)
#define GPIO_BSRR_BR_13 (1UL << 29)
#define GPIO_BSRR_BR_14 (1UL << 30)
#define GPIO_BSRR_BR_15 (1UL << 31)
#define GPIO_BSRR_BR0 (1UL << 16)
#define GPIO_BSRR_BR1 (1UL << 17)
#define GPIO_BSRR_BR2 (1UL << 18)
#define GPIO_BSRR_BR3 (1UL << 19)
#define GPIO_BSRR_BR4 (1UL << 20)
#define GPIO_BSRR_BR5 (1UL << 21)
#define GPIO_BSRR_BR6 (1UL << 22)
#define GPIO_BSRR_BR7 (1UL << 23)
#define GPIO_BSRR_BR8 (1UL << 24)
#define GPIO_BSRR_BR9 (1UL << 25)
#define GPIO_BSRR_BR10 (1UL << 26)
#define GPIO_BSRR_BR11 (1UL << 27)
#define GPIO_BSRR_BR12 (1UL << 28)
#define GPIO_BSRR_BR13 (1UL << 29)
#define GPIO_BSRR_BR14 (1UL << 30)
#define GPIO_BSRR_BR15 (1UL << 31)
#define USART_CR1_UE (1UL << 0)
#define USART_CR1_UESM (1UL << 1)
#define USART_CR1_RE (1UL << 2)
#define USART_CR1_TE (1UL << 3)
#define USART_CR1_IDLEIE (1UL << 4)
#define USART_CR1_RXNEIE (1UL << 5)
#define USART_CR1_TCIE (1UL << 6)
#define USART_CR1_TXEIE (1UL << 7)
#define USART_CR1_OVER8 (1UL << 15)
#define USART_CR3_DMAR (1UL << 6)
#define USART_CR3_DMAT (1UL << 7)
#define USART_ISR_PE (1UL << 0)
#define USART_ISR_FE (1UL << 1)
#define USART_ISR_ORE (1UL << 3)
#define USART_ISR_IDLE (1UL << 4)
#define USART_ISR_RXNE (1UL << 5)
#define USART_ISR_TC (1UL << 6)
#define USART_ISR_TXE (1UL << 7)
#define USART_ISR_TEACK (1UL << 21)
#define USART_ISR_REACK (1UL << 22)
#define USART_ICR_ORECF (1UL << 3)
#define USART_ICR_IDLECF (1UL << 4)
#define USART_ICR_TCCF (1UL << 6)
#define I2C_CR1_PE (1UL << 0)
#define I2C_CR2_RD_WRN (1UL << 10)
#define I2C_CR2_START (1UL << 13)
#define I2C_CR2_STOP (1UL << 14)
#define I2C_CR2_NBYTES_Pos 16U
#define I2C_CR2_AUTOEND (1UL << 25)
#define I2C_ISR_TXE (1UL << 0)
#define I2C_ISR_TXIS (1UL << 1)
#define I2C_ISR_RXNE (1UL << 2)
#define I2C_ISR_NACKF (1UL << 4)
#define I2C_ISR_STOPF (1UL << 5)
#define I2C_ISR_TC (1UL << 6)
#define I2C_ISR_BUSY (1UL << 15)
#define I2C_ICR_NACKCF (1UL << 4)
#define I2C_ICR_STOPCF (1UL << 5)
#define SPI_CR1_CPHA (1UL << 0)
#define SPI_CR1_CPOL (1UL << 1)
#define SPI_CR1_MSTR (1UL << 2)
#define SPI_CR1_BR_Pos 3U
#define SPI_CR1_BR (7UL << 3)
#define SPI_CR1_SPE (1UL << 6)
#define SPI_CR1_SSI (1UL << 8)
#define SPI_CR1_SSM (1UL << 9)
#define SPI_CR2_SSOE (1UL << 2)
#define SPI_CR2_DS_Pos 8U
#define SPI_CR2_FRXTH (1UL << 12)
#define SPI_SR_RXNE (1UL << 0)
#define SPI_SR_TXE (1UL << 1)
#define SPI_SR_BSY (1UL << 7)
#define TIM_CR1_CEN (1UL << 0)
#define TIM_CR1_OPM (1UL << 3)
#define TIM_CR1_ARPE (1UL << 7)
#define TIM_DIER_UIE (1UL << 0)
#define TIM_DIER_CC1IE (1UL << 1)
#define TIM_SR_UIF (1UL << 0)
#define TIM_SR_CC1IF (1UL << 1)
#define TIM_EGR_UG (1UL << 0)
#define TIM_CCER_CC1E (1UL << 0)
#define LPTIM_CR_ENABLE (1UL << 0)
#define LPTIM_CR_SNGSTRT (1UL << 1)
#define LPTIM_CR_CNTSTRT (1UL << 2)
#define LPTIM_ISR_CMPM (1UL << 0)
#define LPTIM_ISR_ARRM (1UL << 1)
#define LPTIM_ICR_CMPMCF (1UL << 0)
#define LPTIM_ICR_ARRMCF (1UL << 1)
#define LPTIM_IER_ARRMIE (1UL << 1)
#define CRC_CR_RESET (1UL << 0)
#define RNG_CR_RNGEN (1UL << 2)
#define RNG_SR_DRDY (1UL << 0)

/* The real-time clock of the L0 and the L4; the bits are those of the G0, too. */
#define RTC_CR_ALRAE (1UL << 8)
#define RTC_CR_WUTE (1UL << 10)
#define RTC_CR_ALRAIE (1UL << 12)
#define RTC_CR_WUTIE (1UL << 14)

#define TIM2_BASE 0x40000000UL
#define TIM6_BASE 0x40001000UL
#define RTC_BASE 0x40002800UL
#define WWDG_BASE 0x40002C00UL
#define IWDG_BASE 0x40003000UL
#define SPI2_BASE 0x40003800UL
#define USART2_BASE 0x40004400UL
#define I2C1_BASE 0x40005400UL
#define I2C2_BASE 0x40005800UL
#define PWR_BASE 0x40007000UL
#define LPTIM1_BASE 0x40007C00UL
#define SYSCFG_BASE 0x40010000UL
#define SPI1_BASE 0x40013000UL
#define USART1_BASE 0x40013800UL
#define DMA1_BASE 0x40020000UL
#define RCC_BASE 0x40021000UL
#define FLASH_R_BASE 0x40022000UL
#define CRC_BASE 0x40023000UL
#define TIM2 ((TIM_TypeDef *)TIM2_BASE)
#define TIM6 ((TIM_TypeDef *)TIM6_BASE)
#define RTC ((RTC_TypeDef *)RTC_BASE)
#define WWDG ((WWDG_TypeDef *)WWDG_BASE)
#define IWDG ((IWDG_TypeDef *)IWDG_BASE)
#define SPI1 ((SPI_TypeDef *)SPI1_BASE)
#define SPI2 ((SPI_TypeDef *)SPI2_BASE)
#define USART1 ((USART_TypeDef *)USART1_BASE)
#define USART2 ((USART_TypeDef *)USART2_BASE)
#define I2C1 ((I2C_TypeDef *)I2C1_BASE)
#define I2C2 ((I2C_TypeDef *)I2C2_BASE)
#define PWR ((PWR_TypeDef *)PWR_BASE)
#define LPTIM1 ((LPTIM_TypeDef *)LPTIM1_BASE)
#define SYSCFG ((SYSCFG_TypeDef *)SYSCFG_BASE)
#define EXTI ((EXTI_TypeDef *)EXTI_BASE)
#define DMA1 ((DMA_TypeDef *)DMA1_BASE)
#define DMA1_Channel1 ((DMA_Channel_TypeDef *)(DMA1_BASE + 0x08UL))
#define DMA1_Channel2 ((DMA_Channel_TypeDef *)(DMA1_BASE + 0x1CUL))
#define DMA1_Channel3 ((DMA_Channel_TypeDef *)(DMA1_BASE + 0x30UL))
#define DMA1_Channel4 ((DMA_Channel_TypeDef *)(DMA1_BASE + 0x44UL))
#define DMA1_Channel5 ((DMA_Channel_TypeDef *)(DMA1_BASE + 0x58UL))
#define RCC ((RCC_TypeDef *)RCC_BASE)
#define FLASH ((FLASH_TypeDef *)FLASH_R_BASE)
#define CRC ((CRC_TypeDef *)CRC_BASE)
#define GPIOA ((GPIO_TypeDef *)GPIOA_BASE)
#define GPIOB ((GPIO_TypeDef *)(GPIOA_BASE + 0x0400UL))
#define GPIOC ((GPIO_TypeDef *)(GPIOA_BASE + 0x0800UL))
#define GPIOD ((GPIO_TypeDef *)(GPIOA_BASE + 0x0C00UL))
#define GPIOE ((GPIO_TypeDef *)(GPIOA_BASE + 0x1000UL))
#define GPIOH ((GPIO_TypeDef *)(GPIOA_BASE + 0x1C00UL))

/* Of the package's system file, unless the program has it (cortex.c). */
#ifdef __cplusplus
extern "C" {
#endif
extern uint32_t SystemCoreClock;
void SystemInit(void);
void SystemCoreClockUpdate(void);
#ifdef __cplusplus
}
#endif
#endif
