/* wide_numbers.c: numbers and dates from and to wide text, by way of narrow text. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#include "wide.h"

/* How much at s could belong to a number: white space, and then what numbers are written with. */
static size_t number_length(const wchar_t *s) {
    size_t n = 0;
    while (s[n] == ' ' || (s[n] >= '\t' && s[n] <= '\r'))
        n++;
    for (;; n++) {
        wchar_t c = s[n], lower = c | 0x20;
        int is_letter = lower >= 'a' && lower <= 'z', is_digit = c >= '0' && c <= '9';
        if (c >= 128 || !(is_letter || is_digit || c == '.' || c == '+' || c == '-' || c == '_' ||
                          c == '(' || c == ')'))
            return n;
    }
}

#define NUMBER(type, name, narrow, parameters, ...)                                          \
    type name(const wchar_t *restrict s, wchar_t **restrict end parameters) {                \
        size_t n = number_length(s);                                                         \
        char text[n + 1], *stop;                                                             \
        for (size_t i = 0; i < n; i++)                                                       \
            text[i] = (char)s[i];                                                            \
        text[n] = 0;                                                                         \
        type value = narrow(text, &stop __VA_ARGS__);                                        \
        if (end)                                                                             \
            *end = (wchar_t *)s + (stop - text);                                             \
        return value;                                                                        \
    }
#define COMMA ,
#define REAL(type, name, narrow) NUMBER(type, name, narrow, )
#define INTEGER(type, name, narrow) NUMBER(type, name, narrow, COMMA int base, COMMA base)
REAL(float, wcstof, strtof)
REAL(double, wcstod, strtod)
REAL(long double, wcstold, strtold)
INTEGER(long, wcstol, strtol)
INTEGER(long long, wcstoll, strtoll)
INTEGER(unsigned long, wcstoul, strtoul)
INTEGER(unsigned long long, wcstoull, strtoull)
INTEGER(intmax_t, wcstoimax, strtoimax)
INTEGER(uintmax_t, wcstoumax, strtoumax)
#ifdef __linux__ /* the names glibc's headers give these functions when C23 rules apply */
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
INTEGER(long, __isoc23_wcstol, __isoc23_strtol)
INTEGER(long long, __isoc23_wcstoll, __isoc23_strtoll)
INTEGER(unsigned long, __isoc23_wcstoul, __isoc23_strtoul)
INTEGER(unsigned long long, __isoc23_wcstoull, __isoc23_strtoull)
#endif

size_t wcsftime(wchar_t *restrict to, size_t size, const wchar_t *restrict format,
                const struct tm *restrict tm) {
    char bytes[wcslen(format) * WIDE_MOST + 1], text[size * WIDE_MOST + 1];
    if (wide_text(bytes, format) == (size_t)-1)
        return 0;
    text[strftime(text, sizeof text, bytes, tm)] = 0;
    size_t n = 0;
    for (const char *p = text; *p; n++) {
        if (n + 1 >= size)
            return 0;
        p = wide_character(p, to + n);
    }
    if (size)
        to[n] = 0;
    return n;
}
