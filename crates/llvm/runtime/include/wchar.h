/* wchar.h: wide characters.  In the C locale, bytes below 128 are one wide character each, and others
 * are none; functions in src/wide*.c and src/multibyte.c. */
#ifndef _BROWNOUT_WCHAR_H
#define _BROWNOUT_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
#ifndef _BROWNOUT_WINT_T
#define _BROWNOUT_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#ifndef _BROWNOUT_MBSTATE_T
#define _BROWNOUT_MBSTATE_T
typedef struct { int __count; } mbstate_t;
#endif
#ifndef WEOF
#define WEOF ((wint_t)-1)
#endif
struct tm;

int wprintf(const wchar_t *__restrict format, ...);
int fwprintf(FILE *__restrict f, const wchar_t *__restrict format, ...);
int swprintf(wchar_t *__restrict s, size_t size, const wchar_t *__restrict format, ...);
int vwprintf(const wchar_t *__restrict format, va_list args);
int vfwprintf(FILE *__restrict f, const wchar_t *__restrict format, va_list args);
int vswprintf(wchar_t *__restrict s, size_t size, const wchar_t *__restrict format, va_list args);
int wscanf(const wchar_t *__restrict format, ...);
int fwscanf(FILE *__restrict f, const wchar_t *__restrict format, ...);
int swscanf(const wchar_t *__restrict s, const wchar_t *__restrict format, ...);
int vwscanf(const wchar_t *__restrict format, va_list args);
int vfwscanf(FILE *__restrict f, const wchar_t *__restrict format, va_list args);
int vswscanf(const wchar_t *__restrict s, const wchar_t *__restrict format, va_list args);
wint_t fgetwc(FILE *f);
wint_t getwc(FILE *f);
wint_t getwchar(void);
wint_t ungetwc(wint_t c, FILE *f);
wchar_t *fgetws(wchar_t *__restrict s, int size, FILE *__restrict f);
wint_t fputwc(wchar_t c, FILE *f);
wint_t putwc(wchar_t c, FILE *f);
wint_t putwchar(wchar_t c);
int fputws(const wchar_t *__restrict s, FILE *__restrict f);
int fwide(FILE *f, int mode);

float wcstof(const wchar_t *__restrict s, wchar_t **__restrict end);
double wcstod(const wchar_t *__restrict s, wchar_t **__restrict end);
long double wcstold(const wchar_t *__restrict s, wchar_t **__restrict end);
long wcstol(const wchar_t *__restrict s, wchar_t **__restrict end, int base);
long long wcstoll(const wchar_t *__restrict s, wchar_t **__restrict end, int base);
unsigned long wcstoul(const wchar_t *__restrict s, wchar_t **__restrict end, int base);
unsigned long long wcstoull(const wchar_t *__restrict s, wchar_t **__restrict end, int base);
size_t wcsftime(wchar_t *__restrict to, size_t size, const wchar_t *__restrict format,
                const struct tm *__restrict tm);

size_t wcslen(const wchar_t *s);
size_t wcsnlen(const wchar_t *s, size_t n);
wchar_t *wcscpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wcpcpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcpncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wcscat(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncat(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
int wcscmp(const wchar_t *a, const wchar_t *b);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n);
int wcscasecmp(const wchar_t *a, const wchar_t *b);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n);
int wcscoll(const wchar_t *a, const wchar_t *b);
size_t wcsxfrm(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wcschr(const wchar_t *s, wchar_t c);
wchar_t *wcsrchr(const wchar_t *s, wchar_t c);
size_t wcsspn(const wchar_t *s, const wchar_t *accept);
size_t wcscspn(const wchar_t *s, const wchar_t *reject);
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept);
wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle);
wchar_t *wcstok(wchar_t *__restrict s, const wchar_t *__restrict separators, wchar_t **__restrict state);
wchar_t *wcsdup(const wchar_t *s);
wchar_t *wmemcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wmempcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n);
wchar_t *wmemchr(const wchar_t *in, wchar_t c, size_t n);

wint_t btowc(int c);
int wctob(wint_t c);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *__restrict s, size_t n, mbstate_t *__restrict state);
size_t mbrtowc(wchar_t *__restrict to, const char *__restrict s, size_t n, mbstate_t *__restrict state);
size_t wcrtomb(char *__restrict to, wchar_t c, mbstate_t *__restrict state);
size_t mbsrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t n,
                 mbstate_t *__restrict state);
size_t wcsrtombs(char *__restrict to, const wchar_t **__restrict from, size_t n,
                 mbstate_t *__restrict state);
size_t mbsnrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t bytes, size_t n,
                  mbstate_t *__restrict state);
size_t wcsnrtombs(char *__restrict to, const wchar_t **__restrict from, size_t count, size_t n,
                  mbstate_t *__restrict state);
int wcwidth(wchar_t c);
int wcswidth(const wchar_t *s, size_t n);
__END_DECLS
#endif
