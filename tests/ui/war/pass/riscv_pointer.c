//! The handler is installed by its address, but interrupts are never enabled.
//@ policy: restart
//@ target: riscv32

unsigned wakeups __attribute__((section(".nvram")));
unsigned odometer __attribute__((section(".nvram")));
volatile unsigned work;

static void trap(void) {
    wakeups++;
    odometer++;
}

int main(void) {
    void *installed;
    __asm volatile("csrw mtvec, %0" ::"r"(trap));
    __asm volatile("csrr %0, mtvec" : "=r"(installed));
    if (installed != (void *)trap) {
        return 1;
    }
    __asm volatile("csrs mie, %0" ::"r"(1 << 7));
    while (1) {
        work = 1;
        work = 2;
    }
}
