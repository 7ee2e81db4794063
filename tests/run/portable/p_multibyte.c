//! Bytes to wide characters and back, in the C locale.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

int main(void) {
    wchar_t wide[8];
    char bytes[8];
    printf("%d %d %d %d\n", mbtowc(wide, "a", 1), mbtowc(wide, "", 1), mbtowc(wide, "a", 0), mblen("xyz", 3));
    printf("%d %d\n", mbtowc(NULL, NULL, 0), wctomb(NULL, 0));
    errno = 0;
    printf("%d %d\n", mbtowc(wide, "\xc3\xa9", 2), errno == EILSEQ);
    printf("%d %c %d\n", wctomb(bytes, L'q'), bytes[0], wctomb(bytes, 0x20ac));
    printf("%d %d\n", (int)mbstowcs(wide, "hello", 8), wide[4] == L'o');
    printf("%d %s\n", (int)wcstombs(bytes, L"back", 8), bytes);
    printf("%d %d\n", (int)mbstowcs(NULL, "four", 0), (int)wcstombs(bytes, L"a\u00e9", 8));
    mbstate_t state;
    memset(&state, 0, sizeof state);
    const char *from = "abc";
    printf("%d %d %d\n", (int)mbsrtowcs(wide, &from, 2, &state), *from, mbsinit(&state) != 0);
    printf("%d %d\n", (int)mbsrtowcs(wide, &from, 8, &state), from == NULL);
    printf("%d %d\n", (int)mbrtowc(wide, "z", 1, &state), (int)mbrtowc(wide, "z", 0, &state));
    printf("%d %d %d\n", (int)mbrlen("z", 1, &state), (int)wcrtomb(bytes, L'z', &state), (int)wcrtomb(NULL, 0, &state));
    printf("%d %d %d %d\n", btowc('a') == L'a', btowc(EOF) == WEOF, btowc(200) == WEOF, wctob(L'k') == 'k');
    char16_t half;
    char32_t whole;
    printf("%d %d\n", (int)mbrtoc16(&half, "h", 1, &state), half == u'h');
    printf("%d %d\n", (int)mbrtoc32(&whole, "w", 1, &state), whole == U'w');
    printf("%d %d\n", (int)c16rtomb(bytes, u'p', &state), (int)c32rtomb(bytes, U'\u00e9', &state));
    printf("%d\n", (int)MB_CUR_MAX);

    printf("%s %s %d\n", setlocale(LC_ALL, NULL), setlocale(LC_NUMERIC, "C"), setlocale(LC_ALL, "no such") == NULL);
    struct lconv *conventions = localeconv();
    printf("[%s] [%s] [%s] %d\n", conventions->decimal_point, conventions->thousands_sep,
           conventions->currency_symbol, conventions->frac_digits == (char)127 || conventions->frac_digits == (char)255);
    return 0;
}
