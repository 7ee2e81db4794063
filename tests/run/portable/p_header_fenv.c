//! Every name that C11 has in <fenv.h> is there: the floating-point environment.
#define _GNU_SOURCE 1
#include <fenv.h>
#include <stdio.h>

static void (*const functions[])(void) = {
    (void (*)(void))feclearexcept, (void (*)(void))fegetround, (void (*)(void))fesetround,
    (void (*)(void))fegetenv, (void (*)(void))feholdexcept, (void (*)(void))fesetenv,
    (void (*)(void))feupdateenv,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
