//! The twin of `fail/stm32_eeprom.c`: the count is one word, and a word is written as a whole.
//@ policy: restart
//@ config: chip = "stm32l0"
#include "stm32l0xx.h"

typedef struct { uint32_t boots; } Record;
#define RECORD ((volatile Record *)DATA_EEPROM_BASE)

static void unlock(void) {
    while (FLASH->SR & FLASH_SR_BSY) {}
    FLASH->PEKEYR = FLASH_PEKEY1;
    FLASH->PEKEYR = FLASH_PEKEY2;
}

int main(void) {
    RCC->IOPENR |= RCC_IOPENR_GPIOAEN;
    GPIOA->MODER = (GPIOA->MODER & ~(3u << 10)) | 1u << 10;
    unlock();
    uint32_t boots = RECORD->boots;
    RECORD->boots = boots + 1;
    FLASH->PECR |= FLASH_PECR_PELOCK;
    GPIOA->BSRR = GPIO_BSRR_BS_5;
    for (;;) {
        __WFI();
    }
}
