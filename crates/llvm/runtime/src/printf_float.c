/* printf_float.c: %f %e %g %a, exact at every precision.
 *
 * The number becomes an exact decimal (decimal.h), is rounded once, half to
 * even, at the digit asked for, and printed.  A long double of 80 bits is as
 * exact; a wider one goes through double. */
#include "decimal.h"
#include "printf.h"

/* No number has a digit but zero this far after the point. */
#if __LDBL_MANT_DIG__ == 64
#define ENOUGH 16500
#else
#define ENOUGH 1100
#endif

static uint32_t limb_at(int i) {
    const struct decimal *d = &__brownout_decimal;
    return i >= d->first && i < d->last ? d->limb[i] : 0;
}

static int digit_at(int position) {
    int within, i = decimal_index(position, &within);
    return (int)(limb_at(i) / __brownout_power_of_ten(within) % 10);
}

/* The work decimal becomes m * 2^e. */
static void load(uint64_t m, int e) {
    struct decimal *d = &__brownout_decimal;
    while (e < 0 && !(m & 1) && m) {
        m >>= 1;
        e++;
    }
    /* Doubling grows to the left and halving to the right; leave one limb free
     * on the left for rounding up. */
    d->point = e < 0 ? 4 : DECIMAL_WHOLE;
    d->last = d->point;
    d->first = d->point - 3;
    for (int i = d->last; i-- > d->first; m /= DECIMAL_BASE)
        d->limb[i] = (uint32_t)(m % DECIMAL_BASE);
    d->sticky = false;
    while (d->first < d->last && !d->limb[d->first])
        d->first++;
    if (e < 0)
        __brownout_decimal_halve(-e);
    else
        __brownout_decimal_double(e);
}

/* The power of ten of the leading digit; 0 for zero. */
static int leading_position(void) {
    struct decimal *d = &__brownout_decimal;
    while (d->first < d->last && !d->limb[d->first])
        d->first++;
    if (d->first == d->last)
        return 0;
    int n = 8;
    while (d->limb[d->first] < __brownout_power_of_ten(n))
        n--;
    return (d->point - 1 - d->first) * 9 + n;
}

/* Rounds so that 10^position is the last digit kept. */
static void round_at(int position) {
    struct decimal *d = &__brownout_decimal;
    int within, i = decimal_index(position, &within);
    if (i >= d->last)
        return;
    uint32_t unit = __brownout_power_of_ten(within), rest, half;
    uint32_t kept = limb_at(i);
    int below = i + 1;
    if (within) {
        rest = kept % unit;
        half = unit / 2;
        kept -= rest;
    } else {
        rest = limb_at(below++);
        half = (uint32_t)(DECIMAL_BASE / 2);
    }
    bool up = rest > half;
    if (rest == half) {
        up = kept / unit % 2; /* to even, unless there is more below */
        for (int j = below; j < d->last; j++)
            up |= d->limb[j] != 0;
    }
    if (d->first > i)
        d->first = i;
    d->last = i + 1;
    d->limb[i] = kept;
    if (!up)
        return;
    d->limb[i] += unit;
    while (d->limb[i] >= DECIMAL_BASE) {
        d->limb[i] -= (uint32_t)DECIMAL_BASE;
        if (--i < d->first) {
            d->first = i;
            d->limb[i] = 0;
        }
        d->limb[i]++;
    }
}

static void put_digits(struct sink *sink, int from, int count) {
    while (count > 0) {
        char text[16];
        int n = 0;
        while (n < count && n < (int)sizeof text)
            text[n++] = (char)('0' + digit_at(from--));
        __brownout_sink_put(sink, text, (size_t)n);
        count -= n;
    }
}

/* The point (if wanted) and `precision` digits from 10^from downwards. */
static void put_fraction(struct sink *sink, int from, int precision, bool point) {
    int real = precision < ENOUGH ? precision : ENOUGH;
    if (point)
        __brownout_sink_put(sink, ".", 1);
    put_digits(sink, from, real);
    __brownout_sink_repeat(sink, '0', precision - real);
}

/* "e+05", "p-1022"; returns its length. */
static int exponent_text(char *text, char letter, int exponent, int least_digits) {
    char reversed[6];
    int n = 0, length = 0;
    unsigned rest = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    while (rest || n < least_digits) {
        reversed[n++] = (char)('0' + rest % 10);
        rest /= 10;
    }
    text[length++] = letter;
    text[length++] = exponent < 0 ? '-' : '+';
    while (n)
        text[length++] = reversed[--n];
    return length;
}

static void format_decimal(struct sink *sink, const struct spec *spec, const char *sign,
                           uint64_t m, int e) {
    char form = spec->conversion | 0x20;
    int precision = spec->precision < 0 ? 6 : spec->precision;
    int exponent, fraction = precision;
    load(m, e);
    if (form == 'f') {
        round_at(-(precision < ENOUGH ? precision : ENOUGH));
        exponent = leading_position();
    } else {
        if (form == 'g') {
            if (precision == 0)
                precision = 1;
            fraction = precision - 1;
        }
        round_at(leading_position() - (fraction < ENOUGH ? fraction : ENOUGH));
        exponent = leading_position();
        if (form == 'g') {
            bool plain = exponent >= -4 && exponent < precision;
            form = plain ? 'f' : 'e';
            if (plain)
                fraction = precision - 1 - exponent;
            if (!spec->alternate) {
                if (fraction > ENOUGH)
                    fraction = ENOUGH;
                while (fraction > 0 && digit_at((plain ? 0 : exponent) - fraction) == 0)
                    fraction--;
            }
        }
    }
    bool point = fraction > 0 || spec->alternate;
    int start = exponent;
    int tail_length = 0, whole = 1;
    char tail[8];
    if (form == 'f') {
        if (start < 0)
            start = 0;
        whole = start + 1;
    } else {
        tail_length = exponent_text(tail, spec->conversion & 0x20 ? 'e' : 'E', exponent, 2);
    }
    int length =
        __brownout_field_begin(sink, spec, sign, whole + point + fraction + tail_length);
    put_digits(sink, start, whole);
    put_fraction(sink, start - whole, fraction, point);
    __brownout_sink_put(sink, tail, (size_t)tail_length);
    __brownout_field_end(sink, spec, length);
}

/* m is one digit and `most` after the point. */
static void format_hex(struct sink *sink, const struct spec *spec, const char *sign, uint64_t m,
                       int e, int most) {
    bool capital = !(spec->conversion & 0x20);
    const char *alphabet = capital ? "0123456789ABCDEF" : "0123456789abcdef";
    int precision = spec->precision;
    int exponent = m ? e + 4 * most : 0;
    if (precision >= 0 && precision < most) {
        int drop = (most - precision) * 4;
        uint64_t unit = (uint64_t)1 << drop, rest = m & (unit - 1);
        bool up = rest > unit / 2 || (rest == unit / 2 && (m & unit));
        m -= rest;
        if (up && m + unit < unit) { /* one digit more than there is room for */
            m = (uint64_t)1 << 4 * most;
            exponent += 4;
        } else if (up) {
            m += unit;
        }
    }
    int digits = most;
    while (digits > 0 && !(m >> ((most - digits) * 4) & 15))
        digits--;
    if (precision < 0)
        precision = digits;
    bool point = precision > 0 || spec->alternate;
    char prefix[4], text[20], tail[8];
    int n = 0, p = 0;
    while (*sign)
        prefix[n++] = *sign++;
    prefix[n++] = '0';
    prefix[n++] = capital ? 'X' : 'x';
    prefix[n] = 0;
    text[p++] = alphabet[m >> 4 * most];
    if (point)
        text[p++] = '.';
    int real = precision < most ? precision : most;
    for (int i = 0; i < real; i++)
        text[p++] = alphabet[m >> 4 * (most - 1 - i) & 15];
    int tail_length = exponent_text(tail, capital ? 'P' : 'p', exponent, 1);
    int length =
        __brownout_field_begin(sink, spec, prefix, p + precision - real + tail_length);
    __brownout_sink_put(sink, text, (size_t)p);
    __brownout_sink_repeat(sink, '0', precision - real);
    __brownout_sink_put(sink, tail, (size_t)tail_length);
    __brownout_field_end(sink, spec, length);
}

static const char *sign_of(const struct spec *spec, bool negative) {
    return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

static void format_special(struct sink *sink, const struct spec *spec, const char *sign,
                           const char *small, const char *capital) {
    struct spec padded = *spec;
    padded.zero = false;
    int length = __brownout_field_begin(sink, &padded, sign, 3);
    __brownout_sink_put(sink, spec->conversion & 0x20 ? small : capital, 3);
    __brownout_field_end(sink, &padded, length);
}

void __brownout_format_float(struct sink *sink, const struct spec *spec, double value) {
    union double_bits u = {value};
    uint64_t m = u.bits & DOUBLE_FRACTION;
    int e = (int)(u.bits >> 52 & 0x7ff);
    const char *sign = sign_of(spec, u.bits >> 63);
    if (e == DOUBLE_INFINITE) {
        format_special(sink, spec, sign, m ? "nan" : "inf", m ? "NAN" : "INF");
        return;
    }
    if (e)
        m |= DOUBLE_HIDDEN;
    else
        e = 1;
    if ((spec->conversion | 0x20) == 'a')
        format_hex(sink, spec, sign, m, e - 1075, 13);
    else
        format_decimal(sink, spec, sign, m, e - 1075);
}

void __brownout_format_long_float(struct sink *sink, const struct spec *spec, long double value) {
#if __LDBL_MANT_DIG__ == 64
    union long_double_bits u = {value};
    uint64_t m = u.fraction;
    int e = u.exponent & LONG_DOUBLE_INFINITE;
    const char *sign = sign_of(spec, u.exponent >> 15);
    if (e == LONG_DOUBLE_INFINITE) {
        m <<= 1; /* the whole digit says nothing */
        format_special(sink, spec, sign, m ? "nan" : "inf", m ? "NAN" : "INF");
        return;
    }
    if (!e)
        e = 1;
    if ((spec->conversion | 0x20) == 'a')
        format_hex(sink, spec, sign, m, e - 16446, 15);
    else
        format_decimal(sink, spec, sign, m, e - 16446);
#else
    __brownout_format_float(sink, spec, (double)value);
#endif
}
