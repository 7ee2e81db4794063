//! Every name that C11 has in <stdlib.h> is there: the general library.
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <stdio.h>

#ifndef EXIT_FAILURE
#error EXIT_FAILURE
#endif
#ifndef EXIT_SUCCESS
#error EXIT_SUCCESS
#endif
#ifndef RAND_MAX
#error RAND_MAX
#endif
#ifndef MB_CUR_MAX
#error MB_CUR_MAX
#endif
#ifndef NULL
#error NULL
#endif

enum { SIZES = !sizeof(div_t) + !sizeof(ldiv_t) + !sizeof(lldiv_t) + !sizeof(size_t) + !sizeof(wchar_t) };

static void (*const functions[])(void) = {
    (void (*)(void))atof, (void (*)(void))atoi, (void (*)(void))atol, (void (*)(void))atoll,
    (void (*)(void))strtod, (void (*)(void))strtof, (void (*)(void))strtold, (void (*)(void))strtol,
    (void (*)(void))strtoll, (void (*)(void))strtoul, (void (*)(void))strtoull, (void (*)(void))rand,
    (void (*)(void))srand, (void (*)(void))aligned_alloc, (void (*)(void))calloc, (void (*)(void))free,
    (void (*)(void))malloc, (void (*)(void))realloc, (void (*)(void))abort, (void (*)(void))atexit,
    (void (*)(void))at_quick_exit, (void (*)(void))exit, (void (*)(void))_Exit, (void (*)(void))getenv,
    (void (*)(void))quick_exit, (void (*)(void))bsearch, (void (*)(void))qsort, (void (*)(void))abs,
    (void (*)(void))labs, (void (*)(void))llabs, (void (*)(void))div, (void (*)(void))ldiv,
    (void (*)(void))lldiv, (void (*)(void))mblen, (void (*)(void))mbtowc, (void (*)(void))wctomb,
    (void (*)(void))mbstowcs, (void (*)(void))wcstombs, (void (*)(void))posix_memalign,
    (void (*)(void))rand_r, (void (*)(void))random, (void (*)(void))srandom, (void (*)(void))drand48,
    (void (*)(void))lrand48, (void (*)(void))mrand48, (void (*)(void))srand48, (void (*)(void))setenv,
    (void (*)(void))unsetenv,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
