//! Every name that C11 has in <locale.h> is there: the locale.
#define _GNU_SOURCE 1
#include <locale.h>
#include <stdio.h>

#ifndef LC_ALL
#error LC_ALL
#endif
#ifndef LC_COLLATE
#error LC_COLLATE
#endif
#ifndef LC_CTYPE
#error LC_CTYPE
#endif
#ifndef LC_MONETARY
#error LC_MONETARY
#endif
#ifndef LC_NUMERIC
#error LC_NUMERIC
#endif
#ifndef LC_TIME
#error LC_TIME
#endif
#ifndef NULL
#error NULL
#endif

static void (*const functions[])(void) = {
    (void (*)(void))setlocale, (void (*)(void))localeconv,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
