//! Every name that C11 has in <wchar.h> is there: wide characters.
#define _GNU_SOURCE 1
#include <wchar.h>
#include <stdio.h>

#ifndef NULL
#error NULL
#endif
#ifndef WCHAR_MIN
#error WCHAR_MIN
#endif
#ifndef WCHAR_MAX
#error WCHAR_MAX
#endif
#ifndef WEOF
#error WEOF
#endif

enum { SIZES = !sizeof(wchar_t) + !sizeof(size_t) + !sizeof(mbstate_t) + !sizeof(wint_t) };

static void (*const functions[])(void) = {
    (void (*)(void))fwprintf, (void (*)(void))fwscanf, (void (*)(void))swprintf, (void (*)(void))swscanf,
    (void (*)(void))vfwprintf, (void (*)(void))vfwscanf, (void (*)(void))vswprintf, (void (*)(void))vswscanf,
    (void (*)(void))vwprintf, (void (*)(void))vwscanf, (void (*)(void))wprintf, (void (*)(void))wscanf,
    (void (*)(void))fgetwc, (void (*)(void))fgetws, (void (*)(void))fputwc, (void (*)(void))fputws,
    (void (*)(void))fwide, (void (*)(void))getwc, (void (*)(void))getwchar, (void (*)(void))putwc,
    (void (*)(void))putwchar, (void (*)(void))ungetwc, (void (*)(void))wcstod, (void (*)(void))wcstof,
    (void (*)(void))wcstold, (void (*)(void))wcstol, (void (*)(void))wcstoll, (void (*)(void))wcstoul,
    (void (*)(void))wcstoull, (void (*)(void))wcscpy, (void (*)(void))wcsncpy, (void (*)(void))wmemcpy,
    (void (*)(void))wmemmove, (void (*)(void))wcscat, (void (*)(void))wcsncat, (void (*)(void))wcscmp,
    (void (*)(void))wcscoll, (void (*)(void))wcsncmp, (void (*)(void))wcsxfrm, (void (*)(void))wmemcmp,
    (void (*)(void))wcschr, (void (*)(void))wcscspn, (void (*)(void))wcspbrk, (void (*)(void))wcsrchr,
    (void (*)(void))wcsspn, (void (*)(void))wcsstr, (void (*)(void))wcstok, (void (*)(void))wmemchr,
    (void (*)(void))wcslen, (void (*)(void))wmemset, (void (*)(void))wcsftime, (void (*)(void))btowc,
    (void (*)(void))wctob, (void (*)(void))mbsinit, (void (*)(void))mbrlen, (void (*)(void))mbrtowc,
    (void (*)(void))wcrtomb, (void (*)(void))mbsrtowcs, (void (*)(void))wcsrtombs, (void (*)(void))wcsdup,
    (void (*)(void))wcsnlen, (void (*)(void))wcpcpy, (void (*)(void))wcpncpy, (void (*)(void))wcscasecmp,
    (void (*)(void))wcsncasecmp, (void (*)(void))wcwidth, (void (*)(void))wcswidth,
    (void (*)(void))mbsnrtowcs, (void (*)(void))wcsnrtombs,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
