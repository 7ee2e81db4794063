//! A station waits for its handler's ticks between its measurements, half a second each time; the sum and the number of what
//! is in it are switched to with one write.
//@ policy: restart
//@ target: thumbv7m
#include <brownout.h>
#include <stdint.h>

int level(void) BROWNOUT_INPUT_RANGE(1, 900);

struct state {
    uint32_t total, count;
};

volatile uint32_t ms;
BROWNOUT_NV struct state states[2];
BROWNOUT_NV uint8_t valid;

void SysTick_Handler(void) {
    ms++;
}

static void wait(uint32_t time) {
    uint32_t start = ms;
    while (ms - start < time) {
    }
}

int main(void) {
    for (;;) {
        struct state next = states[valid & 1];
        next.total += level();
        next.count++;
        states[~valid & 1] = next;
        valid = ~valid & 1;
        wait(500);
    }
}
