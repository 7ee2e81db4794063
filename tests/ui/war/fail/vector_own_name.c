//! A Cortex-M's table of vectors names a handler of the program, and nothing but assembly says that interrupts are on.
//@ policy: restart
//@ target: thumbv7m
static unsigned minutes __attribute__((section(".nv")));
static unsigned hours __attribute__((section(".nv")));
static volatile unsigned lamp;

static void beat(void) {
    minutes++; //~ ERROR [war] `minutes`
    if (minutes == 3) {
        minutes = 0;
        hours++;
    }
}

/* What has no handler of its own comes here, and is no interrupt that the program expects. */
static void stuck(void) {
    for (;;) {
    }
}

int main(void) {
    __asm volatile("cpsie i");
    for (;;) {
        lamp ^= 1;
    }
}

__attribute__((section(".isr_vector"), used)) static void (*const table[])(void) = {
    0, 0, stuck, stuck, [11] = stuck, [14] = stuck, [15] = beat, [16] = stuck,
};
