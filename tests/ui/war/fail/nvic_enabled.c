//! The handler of an interrupt that the program enables counts in two variables: a failure between them leaves them
//! apart.
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
    first++; //~ ERROR [war] `first`
    second++;
}

int main(void) {
    NRF_TIMER0->INTENSET = TIMER_INTENSET_COMPARE0_Msk;
    NRF_TIMER0->TASKS_START = 1;
    NVIC_EnableIRQ(RTC1_IRQn);
    NVIC->ISER[0] = 1UL << TIMER0_IRQn;
    for (;;) {
        work = 1;
        work = 2;
    }
}
