//! Wide strings: copying, searching, splitting, comparing, numbers in them, formatted text.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

/* A wide text as numbers, since only some of its characters have bytes. */
static void show(const char *what, const wchar_t *text) {
    printf("%s:", what);
    for (; text && *text; text++)
        *text < 127 && *text >= ' ' ? printf(" %c", (char)*text) : printf(" <%lx>", (unsigned long)*text);
    puts(text ? "" : " none");
}

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    wchar_t text[48], part[8];
    wcscpy(text, L"one two");
    wcscat(text, L" three");
    wcsncat(text, L" four five", 5);
    show("joined", text);
    show("from t", wcschr(text, L't'));
    show("last t", wcsrchr(text, L't'));
    show("wo t", wcsstr(text, L"wo t"));
    show("x", wcsstr(text, L"x"));
    show("any of zyw", wcspbrk(text, L"zyw"));
    printf("%d %d\n", (int)wcsspn(text, L"eno"), (int)wcscspn(text, L"h"));
    printf("%d %d %d\n", sign(wcscmp(L"abc", L"abd")), sign(wcsncmp(L"abc", L"abd", 2)), sign(wcscoll(L"b", L"a")));
    wchar_t *state;
    for (wchar_t *word = wcstok(text, L" ", &state); word; word = wcstok(NULL, L" ", &state))
        show("word", word);
    wmemset(part, L'-', 7);
    part[7] = 0;
    wcsncpy(part, L"ab", 4);
    printf("%d %d %d\n", (int)wcslen(part), part[3], part[4] == L'-');
    printf("%d\n", wmemchr(part, L'b', 8) == part + 1);
    wmemmove(part + 1, part, 3);
    show("moved", part);

    wchar_t *end;
    printf("%ld ", (long)wcstol(L"  -0x1fg", &end, 0));
    show("rest", end);
    printf("%lu ", (unsigned long)wcstoul(L"077", &end, 8));
    printf("%.6g ", wcstod(L"2.5e3\u00e9", &end));
    show("rest", end);
    printf("%.9g\n", (double)wcstof(L"0.1", NULL));

    int n = swprintf(text, 48, L"%d|%5ls|%-5s|%.2ls|%lc|%05d|%x", 42, L"\u00e9\u00e8", "ab", L"xyz", L'q', -7, 255u);
    printf("%d ", n);
    show("formatted", text);
    printf("too long %d\n", swprintf(text, 5, L"%s", "12345") < 0);
    int number = 0, used = 0;
    n = swscanf(L"12ab \u00e9t\u00e9 z", L"%2d%*lc%lc %7ls%n", &number, text, part, &used);
    printf("%d %d %d %d ", n, number, used, text[0] == L'b');
    show("scanned", part);

    char bytes[32];
    n = snprintf(bytes, sizeof bytes, "%ls %lc %.2ls", L"wide", L'w', L"text");
    printf("%d %s\n", n, bytes);
    errno = 0;
    n = snprintf(bytes, sizeof bytes, "%d %ls", 5, L"na\u00efve");
    printf("%d %d\n", n, errno == EILSEQ);
    n = sscanf("five six", "%ls %l[xis]", part, text);
    printf("%d ", n);
    show("six", text);

    struct tm day = {.tm_year = 126, .tm_mon = 10, .tm_mday = 18, .tm_wday = 3};
    printf("%d ", (int)wcsftime(text, 48, L"%Y-%m-%d %a \u00e9", &day));
    show("day", text);
    printf("%d %d %d\n", iswalpha(L'x') != 0, iswdigit(L'x') != 0, iswupper(0xc9) != 0);
    printf("%lc %lc %d\n", (wint_t)towupper(L'a'), (wint_t)towlower(L'Z'), iswctype(L' ', wctype("space")) != 0);
    printf("%lc\n", (wint_t)towctrans(L'q', wctrans("toupper")));
    return 0;
}
