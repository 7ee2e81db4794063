//! A handler that a Cortex-M's table of vectors names counts in the first of two places and then tells which one counts.
//@ policy: restart
//@ target: thumbv7m
static unsigned seen[2] __attribute__((section(".nv")));
static unsigned char which __attribute__((section(".nv")));
static volatile unsigned lamp;

static void beat(void) {
    seen[!which] = seen[which] + 1;
    which = !which;
}

int main(void) {
    __asm volatile("cpsie i");
    for (;;) {
        lamp ^= 1;
    }
}

__attribute__((section(".isr_vector"), used)) static void (*const table[])(void) = { [15] = beat };
