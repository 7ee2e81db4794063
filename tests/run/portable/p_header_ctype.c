//! Every name that C11 has in <ctype.h> is there: character classes.
#define _GNU_SOURCE 1
#include <ctype.h>
#include <stdio.h>

static void (*const functions[])(void) = {
    (void (*)(void))isalnum, (void (*)(void))isalpha, (void (*)(void))isblank, (void (*)(void))iscntrl,
    (void (*)(void))isdigit, (void (*)(void))isgraph, (void (*)(void))islower, (void (*)(void))isprint,
    (void (*)(void))ispunct, (void (*)(void))isspace, (void (*)(void))isupper, (void (*)(void))isxdigit,
    (void (*)(void))tolower, (void (*)(void))toupper,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
