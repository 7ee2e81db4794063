//! A record in the data EEPROM of an STM32L0, with nothing but ST's names: words are written like memory.
//@ policy: restart
//@ config: chip = "stm32l0"
#include "stm32l0xx.h"

typedef struct { uint32_t boots, check; } Record;
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
    if (RECORD->check != ~boots) {
        boots = 0;
    }
    RECORD->boots = boots + 1; //~ ERROR [war] `0x8080000`
    RECORD->check = ~(boots + 1);
    FLASH->PECR |= FLASH_PECR_PELOCK;
    GPIOA->BSRR = GPIO_BSRR_BS_5;
    for (;;) {
        __WFI();
    }
}
