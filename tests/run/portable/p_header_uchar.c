//! Every name that C11 has in <uchar.h> is there: characters of 16 and 32 bits.
#define _GNU_SOURCE 1
#include <uchar.h>
#include <stdio.h>

enum { SIZES = !sizeof(mbstate_t) + !sizeof(size_t) + !sizeof(char16_t) + !sizeof(char32_t) };

static void (*const functions[])(void) = {
    (void (*)(void))mbrtoc16, (void (*)(void))c16rtomb, (void (*)(void))mbrtoc32, (void (*)(void))c32rtomb,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
