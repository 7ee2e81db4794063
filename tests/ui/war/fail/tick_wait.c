//! A station measures three times in each boot. It waits for its handler's ticks between two writes that belong together: half a second takes no time to check.
//@ policy: restart
//@ target: thumbv7m
#include <brownout.h>
#include <stdint.h>

int level(void) BROWNOUT_INPUT_RANGE(1, 900);

volatile uint32_t ms;
BROWNOUT_NV uint32_t total, count;

void SysTick_Handler(void) {
    ms++;
}

static uint32_t now(void) {
    __asm__ volatile("cpsid i");
    uint32_t then = ms;
    __asm__ volatile("cpsie i");
    return then;
}

static void wait(uint32_t time) {
    uint32_t start = now();
    while (now() - start < time) {
    }
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        count++; //~ ERROR [war] `count`
        wait(500);
        total += level();
    }
    return 0;
}
