/* host.c: the library against the system's C library: numbers, heap, sorting.
 *
 * The library under test has had all its symbols prefixed with bo_, so both can
 * live in one program.  The machine's services are played by a few lines here. */
#include "host.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The machine */

char written[1 << 16];
size_t written_size, write_calls;
static jmp_buf escape;
static int ended; /* 1 exit, 2 abort, 3 assertion, 4 bad free */
static int exit_status;

void bo___brownout_write(int stream, const void *p, size_t n) {
    (void)stream;
    write_calls++;
    if (n > sizeof written - written_size)
        n = sizeof written - written_size;
    memcpy(written + written_size, p, n);
    written_size += n;
}
_Noreturn void bo___brownout_exit(int status) {
    exit_status = status;
    ended = 1;
    longjmp(escape, 1);
}
_Noreturn void bo___brownout_abort(void) {
    ended = 2;
    longjmp(escape, 1);
}
_Noreturn void bo___brownout_assert_fail(const char *e, const char *f, int l, const char *fn) {
    (void)e, (void)f, (void)l, (void)fn;
    ended = 3;
    longjmp(escape, 1);
}
_Noreturn void bo___brownout_bad_free(void *p) {
    (void)p;
    ended = 4;
    longjmp(escape, 1);
}
unsigned long long bo___brownout_await_interrupt(void) { return 0; }
void bo___brownout_handler(unsigned char number) { (void)number; }
void bo___brownout_copy(void *d, const void *s, size_t n) { memmove(d, s, n); }
void bo___brownout_fill(void *d, int c, size_t n) { memset(d, c, n); }

static _Alignas(16) char heap[1 << 16];
static size_t heap_size = sizeof heap;
static size_t heap_offset;
void *bo___brownout_heap_start(void) { return heap + heap_offset; }
size_t bo___brownout_heap_size(void) { return heap_size; }

#define BLOCKS 4096
static struct {
    char *p;
    size_t n;
} live[BLOCKS]; /* what the machine has been told */
static size_t live_count;
void bo___brownout_heap_allocated(void *p, size_t n) {
    int overlaps = 0;
    for (size_t i = 0; i < live_count; i++)
        overlaps |= (char *)p + n > live[i].p && live[i].p + live[i].n > (char *)p;
    check(!overlaps, "block %p+%zu overlaps", p, n);
    check((char *)p >= heap + heap_offset && (char *)p + n <= heap + heap_offset + heap_size,
          "block in heap");
    live[live_count].p = p;
    live[live_count++].n = n;
}
void bo___brownout_heap_freed(void *p) {
    for (size_t i = 0; i < live_count; i++)
        if (live[i].p == p) {
            live[i] = live[--live_count];
            return;
        }
    check(0, "freed %p unknown", p);
}

#define MATH1(name)                                         \
    double bo___brownout_##name(double x) { return name(x); } \
    float bo___brownout_##name##f(float x) { return name##f(x); }
#define MATH2(name)                                                      \
    double bo___brownout_##name(double x, double y) { return name(x, y); } \
    float bo___brownout_##name##f(float x, float y) { return name##f(x, y); }
double exp10(double);
float exp10f(float);
MATH1(sin) MATH1(cos) MATH1(tan) MATH1(asin) MATH1(acos) MATH1(atan) MATH1(sinh) MATH1(cosh)
MATH1(tanh) MATH1(asinh) MATH1(acosh) MATH1(atanh) MATH1(exp) MATH1(exp2) MATH1(exp10)
MATH1(expm1) MATH1(log) MATH1(log2) MATH1(log10) MATH1(log1p) MATH1(sqrt) MATH1(cbrt)
MATH1(floor) MATH1(ceil) MATH1(trunc) MATH1(round) MATH1(rint) MATH1(nearbyint) MATH1(fabs)
MATH1(erf) MATH1(erfc) MATH1(tgamma) MATH1(lgamma)
MATH2(atan2) MATH2(pow) MATH2(hypot) MATH2(fmod) MATH2(remainder) MATH2(fmin) MATH2(fmax)
MATH2(copysign) MATH2(fdim)
double bo___brownout_fma(double x, double y, double z) { return fma(x, y, z); }
float bo___brownout_fmaf(float x, float y, float z) { return fmaf(x, y, z); }

/* The library */

int bo_snprintf(char *, size_t, const char *, ...);
int bo_sscanf(const char *, const char *, ...);
double bo_strtod(const char *, char **);
float bo_strtof(const char *, char **);
long bo_strtol(const char *, char **, int);
unsigned long bo_strtoul(const char *, char **, int);
long long bo_strtoll(const char *, char **, int);
unsigned long long bo_strtoull(const char *, char **, int);
int *bo___errno_location(void);
void bo_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bo_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *bo_malloc(size_t);
void *bo_calloc(size_t, size_t);
void *bo_realloc(void *, size_t);
void *bo_aligned_alloc(size_t, size_t);
void bo_free(void *);
_Noreturn void bo_exit(int);
int bo_atexit(void (*)(void));
int bo_rand(void);
double bo_frexp(double, int *), bo_ldexp(double, int), bo_modf(double, double *);
double bo_nextafter(double, double), bo_logb(double);
float bo_nextafterf(float, float), bo_ldexpf(float, int);
int bo_ilogb(double), bo___fpclassify(double), bo___fpclassifyf(float);
int bo___fpclassifyl(long double), bo___signbitl(long double);
long double bo_floorl(long double), bo_ceill(long double), bo_truncl(long double);
long double bo_roundl(long double), bo_ldexpl(long double, int), bo_fabsl(long double);

/* Bookkeeping */

unsigned long cases, failures;
static uint64_t seed = 88172645463325252u;

uint64_t random64(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}
unsigned below(unsigned n) { return (unsigned)(random64() >> 33) % n; }

void check(int ok, const char *format, ...) {
    cases++;
    if (ok)
        return;
    failures++;
    if (failures > 40)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "MISMATCH: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
}

static double from_bits(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

double random_double(void) {
    static const double special[] = {0.0, -0.0, 1.0, 0.5, 1.5, 2.5, 0.125, 9.5, 99.5, 999999.5,
                                     0.1, 1e21, 1e22, 1e23, 9.999995, 123456789, 1e-5, 0.0001,
                                     DBL_MAX, DBL_MIN, DBL_EPSILON, 5e-324, 1e300, 1e-300,
                                     0.00012345, 999999.4999, 4503599627370495.5, INFINITY,
                                     -INFINITY, NAN, 2.2250738585072011e-308};
    switch (below(7)) {
    case 0: return special[below(sizeof special / sizeof *special)];
    case 1: return from_bits(random64());
    case 2: return from_bits(random64() >> 12); /* subnormal */
    case 3: return (double)(int64_t)random64() / (double)(1u << below(31));
    case 4: return (double)below(2000000) / 1000.0;
    case 5: return ((double)below(20000) + 0.5) / (double)(1u << below(8)); /* ties */
    default: return from_bits((random64() & 0x800fffffffffffffu) |
                              (uint64_t)(1023 - 70 + below(140)) << 52);
    }
}

/* strtod */

static int same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void one_strtod(const char *text) {
    char *end, *bo_end;
    errno = *bo___errno_location() = 0;
    double want = strtod(text, &end), got = bo_strtod(text, &bo_end);
    check(same(want, got) && end == bo_end, "strtod(\"%.60s\") %a %ld, ours %a %ld", text, want,
          (long)(end - text), got, (long)(bo_end - text));
    int tiny = fabs(want) <= DBL_MIN; /* rounding to the smallest normal: either answer will do */
    check(fabs(want) == DBL_MIN || errno == *bo___errno_location(), "strtod(\"%.60s\") errno %d ours %d%s",
          text, errno, *bo___errno_location(), tiny ? " tiny" : "");
    float wantf = strtof(text, &end), gotf = bo_strtof(text, &bo_end);
    check(same(wantf, gotf) && end == bo_end, "strtof(\"%.60s\") %a, ours %a", text, wantf, gotf);
}

static void test_strtod(void) {
    static const char *const fixed[] = {
        "", " ", "+", "-", ".", "e5", ".e5", "0", "-0", "0.", ".0", "1e", "1e+", "1e+x", "0x",
        "0x.", "0x.p1", "0x1", "0x1p", "0x1p+4", "0x1.8p-1074", "0x.8p-1074", "0x1.00000000000008p0",
        "0x1.000000000000080000001p0", "0x1.fffffffffffff8p1023", "0x1p1024", "0x1p-1075",
        "0x1.8p-1075", "inf", "INFINITY", "infinit", "-inf", "nan", "nan(", "nan(abc)", "nan(a-)",
        "1e400", "-1e400", "1e-400", "4.9e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880",
        "9007199254740993", "9007199254740992.999999999999999999999999999999999999999", "1e22", "1e23",
        "8.5e22", "123456789012345678901234567890", "0.00000000000000000000000000000000000000001",
        "1000000000000000000000000000000000000000000e-42", "1e99999999999", "1e-99999999999",
        "0e99999999999999", "00000000000000000000000000000000001.5", "16777217", "16777217.0000001",
        "3.4028235677973366e38", "3.4028235677973365e38", "7.006492321624085e-46",
        "1.1754943508222875e-38", "  \t\n12.5abc", "1_000", "1.2.3", "--1", "0x1.8", "1e5.5", "1E5"};
    char text[2048];
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        one_strtod(fixed[i]);
    for (int i = 0; i < 60000; i++) {
        snprintf(text, sizeof text, "%.*e", (int)below(25), random_double());
        one_strtod(text);
    }
    for (int i = 0; i < 8000; i++) { /* exact ties between neighbours, and just beside them */
        double d = fabs(i % 2 ? from_bits(random64()) : random_double());
        if (!(d < DBL_MAX / 2))
            continue;
        long double middle = ((long double)d + (long double)nextafter(d, INFINITY)) / 2;
        snprintf(text, sizeof text, "%.1100Lf", middle);
        if (strlen(text) > 1500)
            continue;
        one_strtod(text);
        strcat(text, "0000000000000001");
        one_strtod(text);
    }
    for (int i = 0; i < 20000; i++) { /* arbitrary digits */
        int n = 0, digits = 1 + (int)below(i % 10 ? 30 : 900);
        int point = (int)below((unsigned)digits + 1);
        for (int j = 0; j < digits; j++) {
            if (j == point)
                text[n++] = '.';
            text[n++] = (char)('0' + below(10));
        }
        sprintf(text + n, "e%d", (int)below(700) - 350);
        one_strtod(text);
    }
    for (int i = 0; i < 20000; i++) { /* hexadecimal, and noise */
        if (i % 2)
            snprintf(text, sizeof text, "0x%llx.%llxp%d", (unsigned long long)random64() >> below(64),
                     (unsigned long long)random64(), (int)below(2400) - 1200);
        else
            for (int j = 0, n = (int)below(12); j <= n; j++)
                text[j] = j == n ? 0 : "0123456789.eE+-xXpPabinft "[below(26)];
        one_strtod(text);
    }
}

/* strtol */

static void one_strtol(const char *text, int base) {
    char *e1, *e2;
#define EACH(f, bo_f, format)                                                            \
    e1 = e2 = NULL;                                                                      \
    errno = *bo___errno_location() = 0;                                                  \
    {                                                                                    \
        __typeof__(f(text, &e1, base)) want = f(text, &e1, base), got = bo_f(text, &e2, base); \
        check(want == got && e1 == e2 && errno == *bo___errno_location(),                \
              #f "(\"%s\", %d) " format ", ours " format, text, base, want, got);        \
    }
    EACH(strtol, bo_strtol, "%ld")
    EACH(strtoul, bo_strtoul, "%lu")
    EACH(strtoll, bo_strtoll, "%lld")
    EACH(strtoull, bo_strtoull, "%llu")
}

static void test_strtol(void) {
    static const char *const fixed[] = {
        "", "0", "-", "+", "0x", "0x1", "0xg", "08", "-0", " 12", "\t\v\f\r\n-12x", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "zz", "ZZ", "0x7fffffffffffffff",
        "777777777777777777777777777777", "+-1", "- 1", "99999999999999999999999999", "0b11", "0xZ"};
    char text[64];
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        for (int base = -1; base < 38; base++)
            one_strtol(fixed[i], base);
    for (int i = 0; i < 40000; i++) {
        int n = (int)below(24);
        for (int j = 0; j <= n; j++)
            text[j] = j == n ? 0 : " +-0x123456789abcdefghz7F"[j && below(4) ? 3 + below(21) : below(24)];
        one_strtol(text, (int)below(37));
    }
}

/* qsort and bsearch */

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static int compare_tens(const void *a, const void *b) {
    return *(const int *)a / 10 - *(const int *)b / 10;
}
static int compare_text(const void *a, const void *b) { return strncmp(a, b, 7); }

static void test_sort(void) {
    static int a[3000], b[3000];
    for (int round = 0; round < 600; round++) {
        int n = (int)below(round % 20 ? 60 : 3000), kind = (int)below(4);
        for (int i = 0; i < n; i++)
            a[i] = b[i] = kind == 0 ? (int)random64() : kind == 1 ? i : kind == 2 ? -i : (int)below(5);
        qsort(a, (size_t)n, sizeof *a, compare_ints);
        bo_qsort(b, (size_t)n, sizeof *b, compare_ints);
        check(memcmp(a, b, (size_t)n * sizeof *a) == 0, "qsort of %d", n);
        int key = n ? b[below((unsigned)n)] : 5;
        int *found = bo_bsearch(&key, b, (size_t)n, sizeof *b, compare_ints);
        check(n ? found && *found == key : !found, "bsearch of %d", n);
        key = (int)below(100) - 50;
        found = bo_bsearch(&key, b, (size_t)n, sizeof *b, compare_ints);
        int *want = bsearch(&key, b, (size_t)n, sizeof *b, compare_ints);
        check(!found == !want, "bsearch of %d", n);
    }
    for (int round = 0; round < 500; round++) { /* few elements: stable */
        int n = (int)below(13);
        for (int i = 0; i < n; i++)
            a[i] = b[i] = (int)below(40);
        qsort(a, (size_t)n, sizeof *a, compare_tens);
        bo_qsort(b, (size_t)n, sizeof *b, compare_tens);
        check(memcmp(a, b, (size_t)n * sizeof *a) == 0, "stable qsort of %d", n);
    }
    char words[200][7], copy[200][7];
    for (int i = 0; i < 200 * 7; i++)
        (&words[0][0])[i] = (&copy[0][0])[i] = (char)('a' + below(3));
    qsort(words, 200, 7, compare_text);
    bo_qsort(copy, 200, 7, compare_text);
    check(memcmp(words, copy, sizeof words) == 0, "qsort of words");
}

/* Heap */

static void expect_bad_free(void *p, const char *what) {
    ended = 0;
    if (!setjmp(escape))
        bo_free(p);
    check(ended == 4, "%s not noticed", what);
}

static void test_heap(void) {
    enum { N = 300 };
    static char *p[N];
    static size_t n[N];
    static unsigned char fill[N];
    for (int round = 0; round < 6; round++) {
        memset(heap, 0, sizeof heap);
        memset(p, 0, sizeof p);
        heap_offset = round == 1 ? 5 : 0;
        heap_size = round == 2 ? 3000 : sizeof heap - 16;
        live_count = 0;
        for (int i = 0; i < 60000; i++) {
            unsigned k = below(N), action = below(8);
            size_t size = below(below(10) ? 100 : 4000);
            for (size_t j = 0; p[k] && j < n[k]; j++)
                if ((unsigned char)p[k][j] != fill[k]) {
                    check(0, "block %u damaged", k);
                    break;
                }
            if (!p[k]) {
                size_t alignment = 16;
                if (action == 0)
                    p[k] = bo_aligned_alloc(alignment = (size_t)1 << below(9), size);
                else if (action == 1) {
                    p[k] = bo_calloc(size / 4, 4);
                    size = size / 4 * 4;
                    for (size_t j = 0; p[k] && j < size; j++)
                        if (p[k][j])
                            check(0, "calloc");
                } else
                    p[k] = bo_malloc(size);
                check((uintptr_t)p[k] % alignment == 0 && (uintptr_t)p[k] % 16 == 0, "alignment");
            } else if (action < 4) {
                size = size ? size : 1;
                char *q = bo_realloc(p[k], size);
                if (!q)
                    continue;
                size_t kept = size < n[k] ? size : n[k];
                for (size_t j = 0; j < kept; j++)
                    if ((unsigned char)q[j] != fill[k]) {
                        check(0, "realloc lost data");
                        break;
                    }
                p[k] = q;
            } else {
                bo_free(p[k]);
                p[k] = NULL;
            }
            if (p[k]) {
                n[k] = size;
                fill[k] = (unsigned char)random64();
                memset(p[k], fill[k], size);
            }
        }
        for (int k = 0; k < N; k++)
            bo_free(p[k]);
        check(live_count == 0, "live %zu", live_count);
        void *all = bo_malloc(heap_size - 200); /* everything merged again */
        check(all != NULL, "not merged, round %d", round);
        bo_free(all);
    }
    check(bo_malloc(SIZE_MAX) == NULL && bo_malloc(SIZE_MAX - 40) == NULL, "huge malloc");
    check(bo_calloc(SIZE_MAX / 2, 3) == NULL && bo_calloc(1u << 31, SIZE_MAX >> 30) == NULL, "huge calloc");
    char *a = bo_malloc(0), *b = bo_malloc(0);
    check(a && b && a != b, "malloc(0)");
    char *c = bo_malloc(50);
    memset(c, 'x', 50);
    size_t calls = live_count;
    check(bo_realloc(c, 20) == c && bo_realloc(c, 300) == c && live_count == calls, "in place");
    check(bo_realloc(c, 0) == NULL, "realloc to 0");
    expect_bad_free(c, "double free");
    expect_bad_free(b + 16, "free inside a block");
    expect_bad_free(b + 1, "free of unaligned pointer");
    expect_bad_free(&calls, "free of stack");
    bo_free(a);
    expect_bad_free(a, "double free, merged");
    heap_size = 20;
    check(bo_malloc(1) == NULL, "heap too small");
}

/* Program end, random numbers, mathematics */

static int order[3], order_count;
static void first(void) { order[order_count++] = 1; }
static void second(void) { order[order_count++] = 2; }

static void test_rest(void) {
    bo_atexit(first);
    bo_atexit(second);
    if (!setjmp(escape))
        bo_exit(42);
    check(ended == 1 && exit_status == 42 && order_count == 2 && order[0] == 2, "exit");
    int high = 0;
    for (int i = 0; i < 10000; i++) {
        int r = bo_rand();
        check(r >= 0, "rand");
        high |= r;
    }
    check(high == RAND_MAX, "rand covers %x", high);
    for (int i = 0; i < 60000; i++) {
        double x = random_double(), y = below(3) ? random_double() : x, w1, w2;
        int n = (int)below(i % 2 ? 2400 : 80) - (i % 2 ? 1200 : 40), e1 = 0, e2 = 0;
        check(same(frexp(x, &e1), bo_frexp(x, &e2)) && e1 == e2, "frexp(%a)", x);
        check(same(ldexp(x, n), bo_ldexp(x, n)), "ldexp(%a, %d)", x, n);
        check(same(modf(x, &w1), bo_modf(x, &w2)) && same(w1, w2), "modf(%a)", x);
        check(same(nextafter(x, y), bo_nextafter(x, y)), "nextafter(%a, %a)", x, y);
        check(same(logb(x), bo_logb(x)), "logb(%a)", x);
        check(ilogb(x) == bo_ilogb(x), "ilogb(%a)", x);
        check(fpclassify(x) == bo___fpclassify(x), "fpclassify(%a)", x);
        float f = (float)x, g = (float)y;
        check(same(nextafterf(f, g), bo_nextafterf(f, g)), "nextafterf(%a, %a)", f, g);
        check(same(ldexpf(f, n), bo_ldexpf(f, n)), "ldexpf(%a, %d)", f, n);
        check(fpclassify(f) == bo___fpclassifyf(f), "fpclassifyf(%a)", f);
        long double l = (long double)x * (1 + (long double)y * 0x1p-60L);
#define LONG(f) { long double p = f(l), q = bo_##f(l);                                        \
        check((p == q && signbit(p) == signbit(q)) || (p != p && q != q), #f "(%La) %La, ours %La", l, p, q); }
        LONG(floorl) LONG(ceill) LONG(truncl) LONG(roundl) LONG(fabsl)
        long double p = ldexpl(l, n), q = bo_ldexpl(l, n);
        check(p == q || p != p, "ldexpl(%La, %d)", l, n);
        check(fpclassify(l) == bo___fpclassifyl(l) && !signbit(l) == !bo___signbitl(l), "classl(%La)", l);
    }
}

int main(int argc, char **argv) {
    if (argc > 1)
        seed += strtoull(argv[1], NULL, 0) * 2;
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"text", test_text},  {"strtod", test_strtod}, {"strtol", test_strtol},
                 {"sort", test_sort},  {"heap", test_heap},     {"rest", test_rest},
                 {"wide", test_wide},  {"long", test_long}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        unsigned long before = cases;
        parts[i].run();
        printf("%-8s %8lu checks\n", parts[i].name, cases - before);
    }
    printf("%lu checks, %lu mismatches\n", cases, failures);
    return failures != 0;
}
