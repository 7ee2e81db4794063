/* strtol.c: integers from text: the strtol family and the atoi family. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "number.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

void __brownout_scan_integer(struct scanned *result, const char *s, size_t width, int base,
                             bool binary) {
    size_t i = 0;
    unsigned long long value = 0;
    bool any = false;
    result->negative = result->range = false;
    if (width && (*s == '-' || *s == '+'))
        result->negative = s[i++] == '-';
    if (i < width && s[i] == '0') {
        /* Only a prefix if a digit follows it; otherwise just a zero. */
        if ((base == 0 || base == 16) && i + 2 < width && (s[i + 1] | 0x20) == 'x' &&
            digit_value(s[i + 2]) < 16) {
            i += 2;
            base = 16;
        } else if (binary && (base == 0 || base == 2) && i + 2 < width &&
                   (s[i + 1] | 0x20) == 'b' && digit_value(s[i + 2]) < 2) {
            i += 2;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; i < width && digit_value(s[i]) < base; i++) {
        unsigned digit = (unsigned)digit_value(s[i]);
        any = true;
        if (value > (ULLONG_MAX - digit) / (unsigned)base)
            result->range = true;
        else
            value = value * (unsigned)base + digit;
    }
    result->value = result->range ? ULLONG_MAX : value;
    result->used = any ? i : 0;
}

/* The frame of every strtoX: white space, end pointer, errors.  False if there
 * is no number to return. */
static bool read_integer(struct scanned *n, const char *s, char **end, int base, bool binary) {
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return false;
    }
    const char *p = s;
    while (is_blank_space(*p))
        p++;
    __brownout_scan_integer(n, p, (size_t)-1, base, binary);
    if (end)
        *end = (char *)(n->used ? p + n->used : s);
    return n->used;
}

static long long read_signed(const char *s, char **end, int base, bool binary, long long max) {
    struct scanned n;
    if (!read_integer(&n, s, end, base, binary))
        return 0;
    unsigned long long limit = (unsigned long long)max + n.negative;
    if (n.range || n.value > limit) {
        errno = ERANGE;
        n.value = limit;
    }
    return (long long)(n.negative ? 0 - n.value : n.value);
}

static unsigned long long read_unsigned(const char *s, char **end, int base, bool binary,
                                        unsigned long long max) {
    struct scanned n;
    if (!read_integer(&n, s, end, base, binary))
        return 0;
    if (n.range || n.value > max) {
        errno = ERANGE;
        return max;
    }
    return n.negative ? 0 - n.value : n.value;
}

long strtol(const char *restrict s, char **restrict end, int base) {
    return (long)read_signed(s, end, base, false, LONG_MAX);
}
long long strtoll(const char *restrict s, char **restrict end, int base) {
    return read_signed(s, end, base, false, LLONG_MAX);
}
unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
    return (unsigned long)read_unsigned(s, end, base, false, ULONG_MAX);
}
unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
    return read_unsigned(s, end, base, false, ULLONG_MAX);
}
intmax_t strtoimax(const char *restrict s, char **restrict end, int base) {
    return read_signed(s, end, base, false, INTMAX_MAX);
}
uintmax_t strtoumax(const char *restrict s, char **restrict end, int base) {
    return read_unsigned(s, end, base, false, UINTMAX_MAX);
}

int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

#ifdef __linux__
/* The names glibc's headers give these functions when C23 rules apply. */
long __isoc23_strtol(const char *restrict s, char **restrict end, int base);
long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base);
unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base);
unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base);
intmax_t __isoc23_strtoimax(const char *restrict s, char **restrict end, int base);
uintmax_t __isoc23_strtoumax(const char *restrict s, char **restrict end, int base);

long __isoc23_strtol(const char *restrict s, char **restrict end, int base) {
    return (long)read_signed(s, end, base, true, LONG_MAX);
}
long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base) {
    return read_signed(s, end, base, true, LLONG_MAX);
}
unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) {
    return (unsigned long)read_unsigned(s, end, base, true, ULONG_MAX);
}
unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
    return read_unsigned(s, end, base, true, ULLONG_MAX);
}
intmax_t __isoc23_strtoimax(const char *restrict s, char **restrict end, int base) {
    return read_signed(s, end, base, true, INTMAX_MAX);
}
uintmax_t __isoc23_strtoumax(const char *restrict s, char **restrict end, int base) {
    return read_unsigned(s, end, base, true, UINTMAX_MAX);
}
#endif
