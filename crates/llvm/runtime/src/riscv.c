/* Control and status registers of RISC-V.  Of all that a program writes to them only one bit of `mstatus` means
 * something to the machine: whether interrupts are enabled.  The others are kept. */
#if defined(__riscv)
#include "machine.h"

#define ENABLED 8u
#define MSTATUS 0x300u
#define MOST 32

enum how { WRITE, SET, CLEAR };

static struct {
    unsigned number;
    unsigned long value;
} kept[MOST];
static unsigned count;

static unsigned long *place(unsigned number) {
    unsigned at = 0;
    while (at < count && kept[at].number != number) {
        at++;
    }
    if (at == MOST) {
        __brownout_abort();
    }
    if (at == count) {
        kept[count++].number = number;
    }
    return &kept[at].value;
}

unsigned long __brownout_csr(unsigned number, enum how how, unsigned long value) {
    unsigned long *at = place(number);
    unsigned long old = *at;
    if (number == MSTATUS) {
        old = (old & ~(unsigned long)ENABLED) | (__brownout_status & ENABLED);
    }
    *at = how == SET ? old | value : how == CLEAR ? old & ~value : value;
    if (number == MSTATUS) {
        unsigned long now = *at;
        if ((now & ENABLED) && !(old & ENABLED)) {
            __brownout_enable();
        }
        if (!(now & ENABLED) && (old & ENABLED)) {
            __brownout_disable();
        }
    }
    return old;
}
#endif
