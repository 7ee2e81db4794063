//! The twin of `fail/nvic_enabled.c`: the program enables another interrupt, and never that of the handler, which
//! therefore does not run.
//@ policy: restart
//@ config: chip = "nrf52"
#include "nrf.h"

static uint32_t first __attribute__((section(".noinit")));
static uint32_t second __attribute__((section(".noinit")));
static volatile uint32_t work;

void RTC1_IRQHandler(void) {
    NRF_RTC1->EVENTS_COMPARE[0] = 0;
}

void TIMER0_IRQHandler(void) {
    NRF_TIMER0->EVENTS_COMPARE[0] = 0;
    first++;
    second++;
}

int main(void) {
    NRF_TIMER0->INTENSET = TIMER_INTENSET_COMPARE0_Msk;
    NRF_TIMER0->TASKS_START = 1;
    NVIC_EnableIRQ(RTC1_IRQn);
    for (;;) {
        work = 1;
        work = 2;
    }
}
