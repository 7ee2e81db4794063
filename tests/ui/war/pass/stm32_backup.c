//! The twin of `fail/stm32_backup.c`: one count, which one store changes.
//@ policy: restart
//@ config: chip = "stm32l4"
#include "stm32l4xx.h"

static volatile uint32_t pressed;

void EXTI0_IRQHandler(void) {
    EXTI->PR1 = EXTI_PR1_PIF0;
    pressed = 1;
}

int main(void) {
    RCC->APB1ENR1 |= RCC_APB1ENR1_PWREN;
    PWR->CR1 |= PWR_CR1_DBP;
    EXTI->IMR1 |= EXTI_IMR1_IM0;
    NVIC_EnableIRQ(EXTI0_IRQn);
    for (;;) {
        __WFI();
        if (pressed) {
            pressed = 0;
            RTC->BKP0R = RTC->BKP0R + 1;
        }
    }
}
