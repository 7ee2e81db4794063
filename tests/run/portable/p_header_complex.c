//! Every name that C11 has in <complex.h> is there: complex numbers.
#define _GNU_SOURCE 1
#include <complex.h>
#include <stdio.h>

#ifndef complex
#error complex
#endif
#ifndef _Complex_I
#error _Complex_I
#endif
#ifndef I
#error I
#endif

static void (*const functions[])(void) = {
    (void (*)(void))cacos, (void (*)(void))cacosf, (void (*)(void))cacosl, (void (*)(void))casin,
    (void (*)(void))casinf, (void (*)(void))casinl, (void (*)(void))catan, (void (*)(void))catanf,
    (void (*)(void))catanl, (void (*)(void))ccos, (void (*)(void))ccosf, (void (*)(void))ccosl,
    (void (*)(void))csin, (void (*)(void))csinf, (void (*)(void))csinl, (void (*)(void))ctan,
    (void (*)(void))ctanf, (void (*)(void))ctanl, (void (*)(void))cacosh, (void (*)(void))cacoshf,
    (void (*)(void))cacoshl, (void (*)(void))casinh, (void (*)(void))casinhf, (void (*)(void))casinhl,
    (void (*)(void))catanh, (void (*)(void))catanhf, (void (*)(void))catanhl, (void (*)(void))ccosh,
    (void (*)(void))ccoshf, (void (*)(void))ccoshl, (void (*)(void))csinh, (void (*)(void))csinhf,
    (void (*)(void))csinhl, (void (*)(void))ctanh, (void (*)(void))ctanhf, (void (*)(void))ctanhl,
    (void (*)(void))cexp, (void (*)(void))cexpf, (void (*)(void))cexpl, (void (*)(void))clog,
    (void (*)(void))clogf, (void (*)(void))clogl, (void (*)(void))cabs, (void (*)(void))cabsf,
    (void (*)(void))cabsl, (void (*)(void))cpow, (void (*)(void))cpowf, (void (*)(void))cpowl,
    (void (*)(void))csqrt, (void (*)(void))csqrtf, (void (*)(void))csqrtl, (void (*)(void))carg,
    (void (*)(void))cargf, (void (*)(void))cargl, (void (*)(void))cimag, (void (*)(void))cimagf,
    (void (*)(void))cimagl, (void (*)(void))conj, (void (*)(void))conjf, (void (*)(void))conjl,
    (void (*)(void))cproj, (void (*)(void))cprojf, (void (*)(void))cprojl, (void (*)(void))creal,
    (void (*)(void))crealf, (void (*)(void))creall,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
