//! _Atomic objects and __atomic builtins, which small targets call the library for.
#include <stdint.h>
#include <stdio.h>

static _Atomic int16_t counter;
static _Atomic uint32_t wide = 70000;
static uint16_t plain = 5;
static uint32_t plain_wide = 100000;

int main(void) {
    counter++;
    counter += 4;
    counter -= 2;
    wide *= 3;
    wide ^= 0xffu;
    printf("%d %lu\n", (int)counter, (unsigned long)wide);
    printf("%u ", (unsigned)__atomic_fetch_add(&plain, 3, __ATOMIC_SEQ_CST));
    printf("%u ", (unsigned)__atomic_or_fetch(&plain, 0x10, __ATOMIC_RELAXED));
    printf("%u\n", (unsigned)__atomic_exchange_n(&plain, 9, __ATOMIC_ACQ_REL));
    uint32_t expected = 1;
    int done = __atomic_compare_exchange_n(&plain_wide, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %lu ", done, (unsigned long)expected);
    done = __atomic_compare_exchange_n(&plain_wide, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %lu\n", done, (unsigned long)__atomic_load_n(&plain_wide, __ATOMIC_SEQ_CST));
    return 0;
}
