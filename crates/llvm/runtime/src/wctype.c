/* wctype.c: classes of wide characters, which the C locale has below 128 only, and comparisons that take
 * small and capital letters for the same. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define CLASSES(DO)                                                                                 \
    DO(alnum) DO(alpha) DO(blank) DO(cntrl) DO(digit) DO(graph) DO(lower) DO(print) DO(punct)       \
    DO(space) DO(upper) DO(xdigit)

#define WIDE_CLASS(name) \
    int isw##name(wint_t c) { return c < 128 && is##name((int)c); }
CLASSES(WIDE_CLASS)

wint_t towlower(wint_t c) { return c < 128 ? (wint_t)tolower((int)c) : c; }
wint_t towupper(wint_t c) { return c < 128 ? (wint_t)toupper((int)c) : c; }

/* A class by name: where it is in this table, counted from 1. */
static const struct {
    const char *name;
    int (*is)(wint_t);
} classes[] = {
#define NAMED(name) {#name, isw##name},
    CLASSES(NAMED)
};
#define COUNT (sizeof classes / sizeof *classes)

wctype_t wctype(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (!strcmp(name, classes[i].name))
            return i + 1;
    return 0;
}

int iswctype(wint_t c, wctype_t kind) { return kind && kind <= COUNT && classes[kind - 1].is(c); }

/* A mapping by name: one of these addresses. */
static const int lower, upper;

wctrans_t wctrans(const char *name) {
    return !strcmp(name, "tolower") ? &lower : !strcmp(name, "toupper") ? &upper : NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping) {
    return mapping == &lower ? towlower(c) : mapping == &upper ? towupper(c) : c;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (; n; n--, a++, b++) {
        wint_t x = towlower((wint_t)*a), y = towlower((wint_t)*b);
        if (x != y) return x > y ? 1 : -1;
        if (!x) break;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, (size_t)-1); }
