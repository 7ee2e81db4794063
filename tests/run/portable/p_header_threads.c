//! Every name that C11 has in <threads.h> is there: locks.
#define _GNU_SOURCE 1
#include <threads.h>
#include <stdio.h>

static void (*const functions[])(void) = {
    (void (*)(void))call_once, (void (*)(void))mtx_init, (void (*)(void))mtx_lock,
    (void (*)(void))mtx_timedlock, (void (*)(void))mtx_trylock, (void (*)(void))mtx_unlock,
    (void (*)(void))mtx_destroy, (void (*)(void))thrd_current, (void (*)(void))thrd_equal,
    (void (*)(void))thrd_yield,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
