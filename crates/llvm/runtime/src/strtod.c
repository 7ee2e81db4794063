/* strtod.c: floating point from text, correctly rounded.
 *
 * The digits become an exact decimal (decimal.h) which is scaled by a power of
 * two until its whole part holds all the bits of the result and a few more;
 * then it is rounded once, half to even.  Digits past the longest exact tie
 * (768 of them) only count as "more than nothing".  long double goes through
 * double. */
#include <errno.h>
#include <stdlib.h>

#include "decimal.h"
#include "number.h"

/* The text being read: s[i] for i < width. */
struct text {
    const char *s;
    size_t width;
};

static char at(const struct text *t, size_t i) { return i < t->width ? t->s[i] : 0; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool word_at(const struct text *t, size_t i, const char *word) {
    for (; *word; word++, i++)
        if ((at(t, i) | 0x20) != *word)
            return false;
    return true;
}

/* Rounds m * 2^e, plus a little if sticky, to the nearest float or double. */
static double pack(uint64_t m, int e, bool sticky, bool single, bool *range) {
    int width = single ? 24 : 53, least = single ? -149 : -1074, most = single ? 128 : 1024;
    int bits = 0, drop;
    for (uint64_t x = m; x; x >>= 1)
        bits++;
    drop = bits - width;
    if (drop < least - e)
        drop = least - e;
    bool inexact = sticky;
    if (drop > 63) {
        m = 0;
        e = least;
        inexact = true;
    } else if (drop > 0) {
        uint64_t unit = (uint64_t)1 << drop, rest = m & (unit - 1);
        m >>= drop;
        e += drop;
        inexact |= rest != 0;
        if (rest > unit / 2 || (rest == unit / 2 && (sticky || (m & 1))))
            m++;
    }
    union double_bits u;
    if (m == 0) {
        *range |= inexact;
        return 0;
    }
    while (m < DOUBLE_HIDDEN && e > -1074) {
        m <<= 1;
        e--;
    }
    while (m >= DOUBLE_HIDDEN << 1) { /* rounded up to the next power of two */
        m >>= 1;
        e++;
    }
    if (e + 53 > most) {
        *range = true;
        u.bits = (uint64_t)DOUBLE_INFINITE << 52;
        return u.value;
    }
    *range |= inexact && (m < DOUBLE_HIDDEN || e + 52 < least + width - 1);
    u.bits = m < DOUBLE_HIDDEN ? m : (uint64_t)(e + 1075) << 52 | (m & DOUBLE_FRACTION);
    return u.value;
}

/* "e-12" or "p+3" at i: adds to *exponent, and returns where it ends. */
static size_t read_exponent(const struct text *t, size_t i, char letter, long *exponent) {
    size_t j = i;
    if ((at(t, j) | 0x20) != letter)
        return i;
    j++;
    bool negative = at(t, j) == '-';
    if (negative || at(t, j) == '+')
        j++;
    if (!is_digit(at(t, j)))
        return i;
    long n = 0;
    for (; is_digit(at(t, j)); j++)
        if (n < 100000000)
            n = n * 10 + (at(t, j) - '0');
    *exponent += negative ? -n : n;
    return j;
}

static size_t read_hex(const struct text *t, size_t i, bool single, struct scanned *result) {
    uint64_t m = 0;
    long e = 0;
    bool sticky = false, point = false;
    for (;; i++) {
        int digit = hex_value(at(t, i));
        if (digit < 0) {
            if (at(t, i) != '.' || point)
                break;
            point = true;
            continue;
        }
        if (m >> 58) { /* full */
            sticky |= digit != 0;
            e += point ? 0 : 4;
        } else {
            m = m << 4 | (unsigned)digit;
            e -= point ? 4 : 0;
        }
    }
    i = read_exponent(t, i, 'p', &e);
    if (e > 3000)
        e = 3000;
    if (e < -3000)
        e = -3000;
    result->real = pack(m, (int)e, sticky, single, &result->range);
    return i;
}

/* Loads the digits from t[i] up to t[stop]; the first is worth 10^position. */
static void load_digits(const struct text *t, size_t i, size_t stop, int position) {
    struct decimal *d = &__brownout_decimal;
    /* A large number will be halved and grows to the right; only its whole part
     * matters, as ties are whole numbers there.  A small one grows to the left. */
    bool large = position >= 16;
    int within;
    d->point = 0;
    d->first = d->last = large ? 2 : 42;
    d->point = d->first - decimal_index(position, &within);
    int end = large ? d->point : d->first + 88;
    d->sticky = false;
    uint32_t limb = 0;
    for (; i < stop; i++) {
        char c = at(t, i);
        if (c == '.')
            continue;
        if (d->last == end) {
            d->sticky |= c != '0';
            continue;
        }
        limb = limb * 10 + (uint32_t)(c - '0');
        if (within-- == 0) {
            d->limb[d->last++] = limb;
            limb = 0;
            within = 8;
        }
    }
    if (d->last < end)
        d->limb[d->last++] = limb * __brownout_power_of_ten(within + 1);
}

static size_t read_decimal(const struct text *t, size_t i, bool single, struct scanned *result) {
    struct decimal *d = &__brownout_decimal;
    size_t start = 0;
    long position = -1; /* of the first digit that is not zero, as a power of ten */
    bool point = false, found = false;
    for (;; i++) {
        char c = at(t, i);
        if (c == '.' && !point) {
            point = true;
        } else if (is_digit(c)) {
            if (c != '0' && !found) {
                found = true;
                start = i;
            }
            if (found && !point)
                position++;
            else if (!found && point)
                position--;
        } else {
            break;
        }
    }
    size_t stop = i;
    i = read_exponent(t, i, 'e', &position);
    if (!found)
        return i;
    if (position > 310 || position < -330) {
        result->real = pack(1, position > 0 ? 2000 : -2000, true, single, &result->range);
        return i;
    }
    load_digits(t, start, stop, (int)position);
    int log2 = (int)(position * 217706 >> 16); /* of the value, rounded down */
    int shift = (single ? 24 : 53) + 2 - log2;
    if (shift > 0)
        __brownout_decimal_double(shift);
    else
        __brownout_decimal_halve(-shift);
    uint64_t whole = 0;
    int j = d->first;
    for (; j < d->point; j++)
        whole = whole * DECIMAL_BASE + (j < d->last ? d->limb[j] : 0);
    bool sticky = d->sticky;
    for (; j < d->last; j++)
        sticky |= d->limb[j] != 0;
    result->real = pack(whole, -shift, sticky, single, &result->range);
    return i;
}

void __brownout_scan_real(struct scanned *result, const char *s, size_t width, bool single) {
    struct text text = {s, width}, *t = &text;
    union double_bits u;
    size_t i = 0;
    result->negative = at(t, 0) == '-';
    result->range = false;
    result->real = 0;
    result->used = 0;
    if (result->negative || at(t, 0) == '+')
        i++;
    if (word_at(t, i, "inf")) {
        i += word_at(t, i, "infinity") ? 8 : 3;
        u.bits = (uint64_t)DOUBLE_INFINITE << 52;
        result->real = u.value;
    } else if (word_at(t, i, "nan")) {
        i += 3;
        u.bits = (uint64_t)0xfff << 51;
        result->real = u.value;
        if (at(t, i) == '(') { /* nan(anything): the payload is ignored */
            size_t j = i + 1;
            while (is_digit(at(t, j)) || at(t, j) == '_' ||
                   ((at(t, j) | 0x20) >= 'a' && (at(t, j) | 0x20) <= 'z'))
                j++;
            if (at(t, j) == ')')
                i = j + 1;
        }
    } else if (at(t, i) == '0' && (at(t, i + 1) | 0x20) == 'x' &&
               (hex_value(at(t, i + 2)) >= 0 ||
                (at(t, i + 2) == '.' && hex_value(at(t, i + 3)) >= 0))) {
        i = read_hex(t, i + 2, single, result);
    } else if (is_digit(at(t, i)) || (at(t, i) == '.' && is_digit(at(t, i + 1)))) {
        i = read_decimal(t, i, single, result);
    } else {
        return;
    }
    if (result->negative) {
        u.value = result->real;
        u.bits |= (uint64_t)1 << 63;
        result->real = u.value;
    }
    result->used = i;
}

static double read_real(const char *s, char **end, bool single) {
    struct scanned n;
    const char *p = s;
    while (is_blank_space(*p))
        p++;
    __brownout_scan_real(&n, p, (size_t)-1, single);
    if (end)
        *end = (char *)(n.used ? p + n.used : s);
    if (n.range)
        errno = ERANGE;
    return n.real;
}

double strtod(const char *restrict s, char **restrict end) { return read_real(s, end, false); }
float strtof(const char *restrict s, char **restrict end) { return (float)read_real(s, end, true); }
long double strtold(const char *restrict s, char **restrict end) { return read_real(s, end, false); }
double atof(const char *s) { return read_real(s, NULL, false); }
