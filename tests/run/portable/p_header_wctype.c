//! Every name that C11 has in <wctype.h> is there: classes of wide characters.
#define _GNU_SOURCE 1
#include <wctype.h>
#include <stdio.h>

enum { SIZES = !sizeof(wint_t) + !sizeof(wctrans_t) + !sizeof(wctype_t) };

static void (*const functions[])(void) = {
    (void (*)(void))iswalnum, (void (*)(void))iswalpha, (void (*)(void))iswblank, (void (*)(void))iswcntrl,
    (void (*)(void))iswdigit, (void (*)(void))iswgraph, (void (*)(void))iswlower, (void (*)(void))iswprint,
    (void (*)(void))iswpunct, (void (*)(void))iswspace, (void (*)(void))iswupper, (void (*)(void))iswxdigit,
    (void (*)(void))iswctype, (void (*)(void))wctype, (void (*)(void))towlower, (void (*)(void))towupper,
    (void (*)(void))towctrans, (void (*)(void))wctrans,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
