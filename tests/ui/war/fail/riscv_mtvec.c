//! A function is a handler because its address is written to `mtvec`, here through a helper and with a mode.
//@ policy: restart
//@ target: riscv32
#define read_csr(reg) ({ unsigned long value; __asm volatile("csrr %0, " #reg : "=r"(value)); value; })
#define write_csr(reg, value) __asm volatile("csrw " #reg ", %0" ::"rK"(value))
#define set_csr(reg, bits) \
    ({ unsigned long old; __asm volatile("csrrs %0, " #reg ", %1" : "=r"(old) : "rK"(bits)); old; })
#define clear_csr(reg, bits) __asm volatile("csrc " #reg ", %0" ::"rK"(bits))

unsigned wakeups __attribute__((section(".nvram")));
unsigned odometer __attribute__((section(".nvram")));
volatile unsigned work;

void trap(void) {
    wakeups++;    //~ ERROR [war] `wakeups`
    odometer++;
}

static void set_handler(unsigned long address) {
    write_csr(mtvec, address | 1);
}

int main(void) {
    set_handler((unsigned long)trap & ~3ul);
    set_csr(mie, 1 << 7);
    if (read_csr(mie) != 1 << 7) {
        return 1;
    }
    unsigned long before = set_csr(mstatus, 0);
    clear_csr(mstatus, 8);
    write_csr(mstatus, before | 8);
    __asm volatile("fence rw, rw" ::: "memory");
    while (1) {
        work = 1;
        work = 2;
    }
}
