/* scanf.c: sscanf.  scanf and fscanf exist too, but input has always ended.
 *
 * All conversions of C; no %m allocation and no numbered arguments, and the set of a wide %[ has
 * characters below 128. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "stream.h"
#include "wide.h"

enum size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_LONG, SIZE_LONG_DOUBLE };

static enum size size_of_width(size_t bytes) {
    return bytes == sizeof(int)    ? SIZE_INT
           : bytes == sizeof(long) ? SIZE_LONG
                                   : SIZE_LONG_LONG;
}

static void store_integer(void *p, enum size size, unsigned long long v) {
    switch (size) {
    case SIZE_CHAR: *(unsigned char *)p = (unsigned char)v; break;
    case SIZE_SHORT: *(unsigned short *)p = (unsigned short)v; break;
    case SIZE_INT: *(unsigned *)p = (unsigned)v; break;
    case SIZE_LONG: *(unsigned long *)p = (unsigned long)v; break;
    default: *(unsigned long long *)p = v; break;
    }
}

/* The value of a scanned integer, held within the range of its conversion the
 * way strtol and strtoul hold it. */
static unsigned long long integer_value(const struct scanned *n, char conversion, enum size size) {
    unsigned long long max = size == SIZE_LONG_LONG ? ULLONG_MAX : ULONG_MAX;
    if (conversion == 'd' || conversion == 'i') {
        max = max / 2 + n->negative;
        unsigned long long v = n->value > max ? max : n->value;
        return n->negative ? 0 - v : v;
    }
    if (n->value > max)
        return max;
    return n->negative ? 0 - n->value : n->value;
}

/* "[...]" at *format, after the bracket: whether c is in it; *format moves past. */
static bool in_set(const char *set, const char *end, char c) {
    bool invert = *set == '^';
    if (invert)
        set++;
    for (const char *p = set; p < end; p++) {
        if (p + 2 < end && p[1] == '-') {
            if ((unsigned char)c >= (unsigned char)p[0] && (unsigned char)c <= (unsigned char)p[2])
                return !invert;
            p += 2;
        } else if (*p == c) {
            return !invert;
        }
    }
    return invert;
}

static const char *set_end(const char *set) {
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set && *set != ']')
        set++;
    return set;
}

static const char *parse_size(const char *f, enum size *size) {
    *size = SIZE_INT;
    switch (*f) {
    case 'h':
        *size = f[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        return f + (f[1] == 'h' ? 2 : 1);
    case 'l':
        *size = f[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
        return f + (f[1] == 'l' ? 2 : 1);
    case 'q': *size = SIZE_LONG_LONG; return f + 1;
    case 'L': *size = SIZE_LONG_DOUBLE; return f + 1;
    case 'j': *size = size_of_width(sizeof(intmax_t)); return f + 1;
    case 'z': *size = size_of_width(sizeof(size_t)); return f + 1;
    case 't': *size = size_of_width(sizeof(ptrdiff_t)); return f + 1;
    }
    return f;
}

/* Bytes for %c %s %[: as many as match, at most `width` characters. */
static size_t match_text(const char *s, char conversion, size_t width, const char *set,
                         const char *end, bool wide) {
    size_t n = 0;
    for (size_t count = 0; s[n]; n++) {
        if (wide && is_continuation(s[n]))
            continue;
        if (count++ == width)
            break;
        if (conversion == 's' && is_blank_space(s[n]))
            break;
        if (conversion == '[' && !in_set(set, end, s[n]))
            break;
    }
    return n;
}

/* Stores the characters of %c %s %[; false if one of them is none where it is to go. */
static bool store_text(void *target, const char *s, size_t length, bool from_wide, bool to_wide,
                       bool ends) {
    char *bytes = target;
    wchar_t *characters = target;
    const char *stop = s + length;
    while (s < stop) {
        if ((*s & 0x80) && from_wide != to_wide) {
            errno = EILSEQ;
            return false;
        }
        if (to_wide)
            s = wide_character(s, characters++);
        else
            *bytes++ = *s++;
    }
    if (ends && to_wide)
        *characters = 0;
    else if (ends)
        *bytes = 0;
    return true;
}

/* How many characters lie between two places of a text. */
static size_t characters_between(const char *from, const char *to, bool wide) {
    size_t count = 0;
    for (; from < to; from++)
        count += !(wide && is_continuation(*from));
    return count;
}

int __brownout_scan(const char *s, const char *format, va_list args, bool wide) {
    const char *start = s;
    int stored = 0;
    for (; *format; format++) {
        if (is_blank_space(*format)) {
            while (is_blank_space(*s))
                s++;
            continue;
        }
        if (*format != '%') {
            if (*s != *format)
                return *s || stored ? stored : EOF;
            s++;
            continue;
        }
        format++;
        bool skip = *format == '*';
        if (skip)
            format++;
        size_t width = 0;
        while (*format >= '0' && *format <= '9')
            width = width * 10 + (size_t)(*format++ - '0');
        enum size size;
        format = parse_size(format, &size);
        char conversion = *format;
        if (!conversion)
            return stored;
        if (conversion == 'C' || conversion == 'S') {
            conversion |= 0x20;
            size = SIZE_LONG;
        }
        if (!strchr("c[n", conversion))
            while (is_blank_space(*s))
                s++;
        if (conversion == 'n') {
            if (!skip)
                store_integer(va_arg(args, void *), size, characters_between(start, s, wide));
            continue;
        }
        const char *set = format + 1, *end = set;
        if (conversion == '[')
            format = end = set_end(set);
        if (!*s)
            return stored ? stored : EOF;
        if (conversion == '%') {
            if (*s++ != '%')
                return stored;
            continue;
        }
        void *target = NULL;
        struct scanned n;
        if (strchr("cs[diuoxXpfFeEgGaA", conversion)) {
            if (!skip)
                target = va_arg(args, void *);
        } else {
            return stored;
        }
        if (strchr("cs[", conversion)) {
            if (!width)
                width = conversion == 'c' ? 1 : (size_t)-1;
            size_t length = match_text(s, conversion, width, set, end, wide);
            if (length == 0)
                return stored;
            if (target && !store_text(target, s, length, wide, size == SIZE_LONG, conversion != 'c'))
                return stored;
            s += length;
        } else if (strchr("diuoxXp", conversion)) {
            int base = conversion == 'i'                       ? 0
                       : conversion == 'o'                     ? 8
                       : conversion == 'd' || conversion == 'u' ? 10
                                                                : 16;
            if (conversion == 'p')
                size = size_of_width(sizeof(void *));
            if (conversion == 'p' && strncmp(s, "(nil)", 5) == 0) {
                n = (struct scanned){.used = 5};
            } else {
                __brownout_scan_integer(&n, s, width ? width : (size_t)-1, base, false);
                if (!n.used)
                    return stored;
            }
            if (target)
                store_integer(target, size, integer_value(&n, conversion, size));
            s += n.used;
        } else {
            __brownout_scan_real(&n, s, width ? width : (size_t)-1, size == SIZE_INT);
            if (!n.used)
                return stored;
            if (target) {
                if (size == SIZE_INT)
                    *(float *)target = (float)n.real;
                else if (size == SIZE_LONG)
                    *(double *)target = n.real;
                else
                    *(long double *)target = n.real;
            }
            s += n.used;
        }
        if (target)
            stored++;
    }
    return stored;
}

int vsscanf(const char *restrict s, const char *restrict format, va_list args) {
    return __brownout_scan(s, format, args, false);
}

int sscanf(const char *restrict s, const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int result = vsscanf(s, format, args);
    va_end(args);
    return result;
}

int vfscanf(FILE *restrict f, const char *restrict format, va_list args) {
    (void)format, (void)args;
    return fgetc(f);
}
int vscanf(const char *restrict format, va_list args) { return vfscanf(stdin, format, args); }

int fscanf(FILE *restrict f, const char *restrict format, ...) {
    (void)format;
    return fgetc(f);
}

int scanf(const char *restrict format, ...) {
    (void)format;
    return fgetc(stdin);
}
