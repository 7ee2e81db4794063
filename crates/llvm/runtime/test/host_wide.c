/* host_wide.c: the library against the system's: wide text, long double, complex numbers. */
#define _GNU_SOURCE 1
#include "host.h"

#include <complex.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Wide text */

int bo_swprintf(wchar_t *, size_t, const wchar_t *, ...), bo_swscanf(const wchar_t *, const wchar_t *, ...);
size_t bo_mbstowcs(wchar_t *, const char *, size_t), bo_wcstombs(char *, const wchar_t *, size_t);
size_t bo_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t bo_wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
double bo_wcstod(const wchar_t *, wchar_t **);
long bo_wcstol(const wchar_t *, wchar_t **, int);
size_t bo_wcsspn(const wchar_t *, const wchar_t *), bo_wcscspn(const wchar_t *, const wchar_t *);
size_t bo_wcsxfrm(wchar_t *, const wchar_t *, size_t);
wchar_t *bo_wcstok(wchar_t *, const wchar_t *, wchar_t **), *bo_wcsstr(const wchar_t *, const wchar_t *);
wchar_t *bo_wcsncat(wchar_t *, const wchar_t *, size_t), *bo_wcspbrk(const wchar_t *, const wchar_t *);
int bo_wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
wctype_t bo_wctype(const char *);
int bo_iswctype(wint_t, wctype_t);
wint_t bo_towupper(wint_t), bo_towlower(wint_t);
double bo_drand48(void);
long bo_mrand48(void), bo_lrand48(void);
void bo_srand48(long);
int bo_snprintf(char *, size_t, const char *, ...);

static int sign(int n) { return (n > 0) - (n < 0); }

/* Text of few different characters, some of which have no bytes. */
static void random_wide(wchar_t *to, unsigned most) {
    static const wchar_t some[] = L"ab 12-+.eExX\té\u20ac\U0001f600";
    unsigned n = below(most);
    for (unsigned i = 0; i < n; i++)
        to[i] = some[below(below(4) ? 13 : sizeof some / sizeof *some - 1)];
    to[n] = 0;
}

static void test_wide_strings(void) {
    for (int i = 0; i < 20000; i++) {
        wchar_t a[30], b[8], c[60], d[60], *p, *q;
        char s[60], t[60];
        random_wide(a, 30);
        random_wide(b, 8);
        check(wcsspn(a, b) == bo_wcsspn(a, b) && wcscspn(a, b) == bo_wcscspn(a, b), "wcsspn");
        check(wcspbrk(a, b) == bo_wcspbrk(a, b) && wcsstr(a, b) == bo_wcsstr(a, b), "wcspbrk, wcsstr");
        size_t n = below(12);
        check(sign(wcsncasecmp(a, b, n)) == sign(bo_wcsncasecmp(a, b, n)), "wcsncasecmp");
        wcscpy(c, b), wcscpy(d, b);
        wcsncat(c, a, n), bo_wcsncat(d, a, n);
        check(!wcscmp(c, d), "wcsncat");
        check(wcstod(a, &p) == bo_wcstod(a, &q) && p == q, "wcstod(%ls)", a);
        int base = (int)below(2) * 16;
        check(wcstol(a, &p, base) == bo_wcstol(a, &q, base) && p == q, "wcstol(%ls)", a);
        memset(s, '-', sizeof s), memset(t, '-', sizeof t);
        check(wcstombs(s, a, n) == bo_wcstombs(t, a, n), "wcstombs");
        check(wcstombs(NULL, a, 0) == bo_wcstombs(NULL, a, 0), "wcstombs to nowhere");
        const wchar_t *from = a, *ours = a;
        mbstate_t state = {0};
        size_t count = below(40);
        check(wcsnrtombs(s, &from, count, n, &state) == bo_wcsnrtombs(t, &ours, count, n, &state) &&
                  from == ours && !memcmp(s, t, sizeof s), "wcsnrtombs(%ls, %zu, %zu)", a, count, n);
        wcscpy(c, a), wcscpy(d, a);
        wchar_t *x = wcstok(c, b, &p), *y = bo_wcstok(d, b, &q);
        for (int k = 0; k < 5 && x; k++) {
            check(y && x - c == y - d && !wcscmp(x, y), "wcstok");
            x = wcstok(NULL, b, &p), y = bo_wcstok(NULL, b, &q);
        }
        check(!x == !y, "wcstok ends");
    }
}

static void test_multibyte(void) {
    for (int i = 0; i < 20000; i++) {
        char text[20];
        size_t n = below(20), bytes = below(20);
        for (unsigned k = 0; k < 19; k++)
            text[k] = (char)(below(12) ? 'a' + below(26) : below(200));
        text[19] = 0;
        wchar_t a[20] = {0}, b[20] = {0};
        const char *from = text, *ours = text;
        mbstate_t state = {0};
        size_t x = mbsnrtowcs(a, &from, bytes, n, &state), y = bo_mbsnrtowcs(b, &ours, bytes, n, &state);
        check(x == y && from == ours, "mbsnrtowcs %zd %zd, %td %td", x, y, from - text, ours - text);
        check(x == (size_t)-1 || !memcmp(a, b, sizeof a), "mbsnrtowcs' text");
        check(mbstowcs(a, text, n) == bo_mbstowcs(b, text, n), "mbstowcs");
        check(mbstowcs(NULL, text, 0) == bo_mbstowcs(NULL, text, 0), "mbstowcs to nowhere");
    }
}

static void test_wide_formats(void) {
    static const wchar_t *const formats[] = {L"%d|%ls|%s", L"é%5d|%-7ls|%.3s", L"%05d%.2ls %8s\u20ac"};
    for (int i = 0; i < 5000; i++) {
        wchar_t text[12], a[40], b[40];
        random_wide(text, 12);
        const wchar_t *format = formats[below(3)];
        size_t size = 1 + below(39);
        int value = (int)random64(), p, q;
        p = swprintf(a, size, format, value, text, "narrow");
        q = bo_swprintf(b, size, format, value, text, "narrow");
        check(p == q && (p < 0 || !wcscmp(a, b)), "swprintf(%zu, %ls) %d, ours %d", size, format, p, q);
        char s[60] = {0}, t[60] = {0};
        errno = 0;
        p = snprintf(s, size, "%d [%6ls] %lc %C", value, text, L'a', L'b');
        q = bo_snprintf(t, size, "%d [%6ls] %lc %C", value, text, L'a', L'b');
        check(p == q && (p < 0 || !strcmp(s, t)), "snprintf(%%ls) %d, ours %d: %s %s", p, q, s, t);
        int n1 = 0, n2 = 0, m1 = -1, m2 = -1;
        wchar_t w1[40] = {0}, w2[40] = {0};
        p = swscanf(text, L"%3d%n %5ls%n", &n1, &m1, w1, &m1);
        q = bo_swscanf(text, L"%3d%n %5ls%n", &n2, &m2, w2, &m2);
        check(p == q && n1 == n2 && m1 == m2 && !wcscmp(w1, w2), "swscanf(%ls) %d, ours %d", text, p, q);
    }
}

void test_wide(void) {
    test_wide_strings();
    test_multibyte();
    test_wide_formats();
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                          "lower", "print", "punct", "space", "upper", "xdigit"};
    for (wint_t c = 0; c < 0x300; c++) {
        for (int k = 0; k < 12; k++)
            check(!iswctype(c, wctype(classes[k])) == !bo_iswctype(c, bo_wctype(classes[k])), "isw%s(%x)", classes[k], c);
        check(towupper(c) == bo_towupper(c) && towlower(c) == bo_towlower(c), "towupper(%x)", c);
    }
    srand48(77), bo_srand48(77);
    for (int i = 0; i < 1000; i++)
        check(drand48() == bo_drand48() && lrand48() == bo_lrand48() && mrand48() == bo_mrand48(), "drand48");
}

/* long double: equal where the result is exact or rounded once, close where it is computed. */

#define ONE(name) long double bo_##name(long double);
#define TWO(name) long double bo_##name(long double, long double);
#define EXACT_ONE(DO) DO(sqrtl) DO(rintl) DO(nearbyintl) DO(logbl) DO(floorl) DO(ceill) DO(truncl) DO(roundl)
#define EXACT_TWO(DO) DO(fmodl) DO(remainderl) DO(nextafterl) DO(fdiml)
EXACT_ONE(ONE) EXACT_TWO(TWO) ONE(cbrtl) TWO(hypotl)
long double bo_remquol(long double, long double, int *), bo_fmal(long double, long double, long double);
double bo_remquo(double, double, int *), bo_nexttoward(double, long double);
float bo_nexttowardf(float, long double);

static int equal(long double p, long double q) {
    return (p == q && !signbit(p) == !signbit(q)) || (p != p && q != q);
}

static int close_to(long double p, long double q) {
    return equal(p, q) || fabsl(p - q) <= 2 * LDBL_EPSILON * fabsl(p) || fabsl(p) < 0x1p-16380L;
}

static long double random_long(void) {
    if (below(8) == 0)
        return ldexpl((long double)random64(), (int)below(32000) - 16200);
    long double x = random_double();
    return below(2) ? x : x * (1 + (long double)below(1000) * LDBL_EPSILON);
}

/* Complex functions, of arguments of a moderate size. */
#define COMPLEX(DO)                                                                                       \
    DO(csqrt) DO(cexp) DO(clog) DO(csin) DO(ccos) DO(ctan) DO(casin) DO(cacos) DO(catan) DO(csinh) DO(ccosh) \
    DO(ctanh) DO(casinh) DO(cacosh) DO(catanh)
#define COMPLEX_NAMES(name) double _Complex bo_##name(double _Complex); float _Complex bo_##name##f(float _Complex);
COMPLEX(COMPLEX_NAMES)

static void test_complex(void) {
    for (int i = 0; i < 20000; i++) {
        double re = (double)((int)below(2000) - 1000) / (below(2) ? 100 : 1000);
        double im = below(8) ? (double)((int)below(2000) - 1000) / 150 : below(2) ? 0.0 : -0.0;
        double _Complex z = __builtin_complex(re, im), p, q;
#define CHECK(name)                                                                                             \
    p = name(z), q = bo_##name(z);                                                                              \
    check(cabs(p - q) <= 1e-13 * (1 + cabs(p)) || !isfinite(cabs(p)), #name "(%g, %g) is %.17g, %.17g, ours %.17g, %.17g", \
          re, im, creal(p), cimag(p), creal(q), cimag(q));                                                       \
    p = name##f((float _Complex)z), q = bo_##name##f((float _Complex)z);                                         \
    check(cabs(p - q) <= 1e-5 * (1 + cabs(p)) || !isfinite(cabs(p)), #name "f(%g, %g) is %g, %g, ours %g, %g",   \
          re, im, creal(p), cimag(p), creal(q), cimag(q));
        COMPLEX(CHECK)
    }
}

void test_long(void) {
    for (int i = 0; i < 40000; i++) {
        long double x = random_long(), y = below(4) ? random_long() : x * below(20), p, q;
#define CHECK_ONE(f) p = f(x), q = bo_##f(x), check(equal(p, q), #f "(%La) is %La, ours %La", x, p, q);
#define CHECK_TWO(f) p = f(x, y), q = bo_##f(x, y), check(equal(p, q), #f "(%La, %La) is %La, ours %La", x, y, p, q);
        EXACT_ONE(CHECK_ONE)
        EXACT_TWO(CHECK_TWO)
        p = cbrtl(x), q = bo_cbrtl(x), check(close_to(p, q), "cbrtl(%La) is %La, ours %La", x, p, q);
        p = hypotl(x, y), q = bo_hypotl(x, y), check(close_to(p, q), "hypotl(%La, %La) is %La, ours %La", x, y, p, q);
        long double z = below(2) ? -x * y : random_long();
        p = fmal(x, y, z), q = bo_fmal(x, y, z);
        check(close_to(p, q), "fmal(%La, %La, %La) is %La, ours %La", x, y, z, p, q);
        int n = 0, m = 0;
        p = remquol(x, y, &n), q = bo_remquol(x, y, &m);
        check(equal(p, q) && n == m, "remquol(%La, %La) is %La %d, ours %La %d", x, y, p, n, q, m);
        double a = random_double(), b = below(4) ? random_double() : a * (below(40) - 20.0) / 2;
        n = m = 0;
        p = remquo(a, b, &n), q = bo_remquo(a, b, &m);
        check(equal(p, q) && n == m, "remquo(%a, %a) is %La %d, ours %La %d", a, b, p, n, q, m);
        check(equal(nexttoward(a, y), bo_nexttoward(a, y)), "nexttoward(%a, %La)", a, y);
        check(equal(nexttowardf((float)a, y), bo_nexttowardf((float)a, y)), "nexttowardf(%a, %La)", a, y);
    }
    test_complex();
}
