//! The address of the handler is written to `mtvec` as it is, without a conversion to a number, and read back as a pointer.
//@ policy: restart
//@ target: riscv32

unsigned wakeups __attribute__((section(".nvram")));
unsigned odometer __attribute__((section(".nvram")));
volatile unsigned work;

static void trap(void) {
    wakeups++;    //~ ERROR [war] `wakeups`
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
    __asm volatile("csrs mstatus, %0" ::"r"(8));
    while (1) {
        work = 1;
        work = 2;
    }
}
