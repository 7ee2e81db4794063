/* printf.c: the formatting engine: format strings, integers, text.
 *
 * Formatted output follows glibc in what C leaves open: (null), (nil), %m and
 * the treatment of conversions it does not know. */
#include "printf.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "machine.h"
#include "wide.h"

/* The sink */

void __brownout_sink_flush(struct sink *sink) {
    if (sink->stream && sink->held)
        __brownout_write(sink->stream, sink->chunk, sink->held);
    sink->held = 0;
}

void __brownout_sink_put(struct sink *sink, const char *text, size_t n) {
    sink->count += (int)n;
    if (!sink->stream) {
        if (n > sink->room)
            n = sink->room;
        if (n) {
            __brownout_copy(sink->at, text, n);
            sink->at += n;
            sink->room -= n;
        }
        return;
    }
    if (n > sizeof sink->chunk - sink->held)
        __brownout_sink_flush(sink);
    if (n > sizeof sink->chunk) {
        __brownout_write(sink->stream, text, n);
        return;
    }
    if (n) {
        __brownout_copy(sink->chunk + sink->held, text, n);
        sink->held += (unsigned)n;
    }
}

void __brownout_sink_repeat(struct sink *sink, char c, int n) {
    if (n <= 0)
        return;
    if (!sink->stream) {
        size_t fits = (size_t)n < sink->room ? (size_t)n : sink->room;
        if (fits) {
            __brownout_fill(sink->at, (unsigned char)c, fits);
            sink->at += fits;
            sink->room -= fits;
        }
        sink->count += n;
        return;
    }
    while (n > 0) {
        int part = (int)(sizeof sink->chunk - sink->held);
        if (part > n)
            part = n;
        __brownout_fill(sink->chunk + sink->held, (unsigned char)c, (size_t)part);
        sink->held += (unsigned)part;
        sink->count += part;
        n -= part;
        if (sink->held == sizeof sink->chunk)
            __brownout_sink_flush(sink);
    }
}

int __brownout_field_begin(struct sink *sink, const struct spec *spec, const char *prefix,
                           int body) {
    int before = (int)strlen(prefix), length = before + body;
    int missing = spec->width - length;
    if (!spec->left && !spec->zero)
        __brownout_sink_repeat(sink, ' ', missing);
    __brownout_sink_put(sink, prefix, (size_t)before);
    if (!spec->left && spec->zero)
        __brownout_sink_repeat(sink, '0', missing);
    return length;
}

void __brownout_field_end(struct sink *sink, const struct spec *spec, int length) {
    if (spec->left)
        __brownout_sink_repeat(sink, ' ', spec->width - length);
}

static void put_text(struct sink *sink, struct spec *spec, const char *text, size_t n) {
    spec->zero = false;
    int length = __brownout_field_begin(sink, spec, "", (int)n);
    __brownout_sink_put(sink, text, n);
    __brownout_field_end(sink, spec, length);
}

/* Wide text.  As bytes, the C locale knows the first 128 characters; with others, printf fails. */
static void put_wide_text(struct sink *sink, struct spec *spec, const wchar_t *text, size_t n) {
    char bytes[4];
    for (size_t i = 0; i < n; i++)
        if (wide_bytes(bytes, text[i]) > 1 && !sink->wide)
            sink->failed = true;
    if (sink->failed)
        return;
    spec->zero = false;
    int length = __brownout_field_begin(sink, spec, "", (int)n);
    for (size_t i = 0; i < n; i++)
        __brownout_sink_put(sink, bytes, wide_bytes(bytes, text[i]));
    __brownout_field_end(sink, spec, length);
}

/* The program's bytes, of which not all are wide characters. */
static void put_bytes(struct sink *sink, struct spec *spec, const char *text, size_t n) {
    for (size_t i = 0; sink->wide && i < n; i++)
        sink->failed |= (unsigned char)text[i] >= 0x80;
    if (!sink->failed)
        put_text(sink, spec, text, n);
}

static size_t wide_length(const wchar_t *text, size_t limit) {
    size_t n = 0;
    while (n < limit && text[n])
        n++;
    return n;
}

/* Integers */

static void put_integer(struct sink *sink, struct spec *spec, unsigned long long value,
                        const char *sign) {
    char digits[24]; /* 22 octal digits make 64 bits */
    char *end = digits + sizeof digits, *p = end;
    const char *alphabet = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char prefix[4];
    unsigned base = 10;
    switch (spec->conversion) {
    case 'o': base = 8; break;
    case 'b': case 'B': base = 2; break;
    case 'x': case 'X': case 'p': base = 16; break;
    }
    bool zero = value == 0;
    int have = 0;
    if (base == 2) { /* written as they are, without a place on the stack for 64 digits */
        while (have < 64 && value >> have)
            have++;
    } else {
        for (unsigned long long rest = value; rest; rest /= base)
            *--p = alphabet[rest % base];
        have = (int)(end - p);
    }
    int want = spec->precision < 0 ? 1 : spec->precision;
    if (spec->alternate && base == 8 && have >= want)
        want = have + 1;
    if (spec->precision >= 0)
        spec->zero = false;
    strcpy(prefix, sign);
    if (spec->alternate && (base == 16 || base == 2) && !zero) {
        char letter[] = {'0', spec->conversion == 'p' ? 'x' : spec->conversion, 0};
        strcat(prefix, letter);
    }
    int zeros = want > have ? want - have : 0;
    int length = __brownout_field_begin(sink, spec, prefix, zeros + have);
    __brownout_sink_repeat(sink, '0', zeros);
    __brownout_sink_put(sink, p, (size_t)(end - p));
    for (int i = base == 2 ? have : 0; i--;)
        __brownout_sink_repeat(sink, value >> i & 1 ? '1' : '0', 1);
    __brownout_field_end(sink, spec, length);
}

/* The format string */

enum size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_LONG, SIZE_LONG_DOUBLE };

/* What no conversion of a format takes from the arguments, and what it takes
 * from the next one; other numbers count arguments from 1. */
enum { NO_ARGUMENT = -1, NEXT_ARGUMENT = 0 };

/* A conversion as it stands in a format. */
struct conversion {
    struct spec spec;
    enum size size;
    int width, precision, value; /* the arguments that give them */
};

struct arguments { /* so that a va_list can be passed by address on every target */
    va_list list, start;
    const char *format;
};

static long long signed_argument(struct arguments *args, enum size size) {
    switch (size) {
    case SIZE_CHAR: return (signed char)va_arg(args->list, int);
    case SIZE_SHORT: return (short)va_arg(args->list, int);
    case SIZE_INT: return va_arg(args->list, int);
    case SIZE_LONG: return va_arg(args->list, long);
    default: return va_arg(args->list, long long);
    }
}

static unsigned long long unsigned_argument(struct arguments *args, enum size size) {
    switch (size) {
    case SIZE_CHAR: return (unsigned char)va_arg(args->list, unsigned);
    case SIZE_SHORT: return (unsigned short)va_arg(args->list, unsigned);
    case SIZE_INT: return va_arg(args->list, unsigned);
    case SIZE_LONG: return va_arg(args->list, unsigned long);
    default: return va_arg(args->list, unsigned long long);
    }
}

static void store_count(void *p, enum size size, int count) {
    switch (size) {
    case SIZE_CHAR: *(signed char *)p = (signed char)count; break;
    case SIZE_SHORT: *(short *)p = (short)count; break;
    case SIZE_INT: *(int *)p = count; break;
    case SIZE_LONG: *(long *)p = count; break;
    default: *(long long *)p = count; break;
    }
}

static enum size size_of_width(size_t bytes) {
    return bytes == sizeof(int)    ? SIZE_INT
           : bytes == sizeof(long) ? SIZE_LONG
                                   : SIZE_LONG_LONG;
}

static const char *parse_flags(const char *f, struct spec *spec) {
    for (;; f++)
        switch (*f) {
        case '-': spec->left = true; break;
        case '+': spec->plus = true; break;
        case ' ': spec->space = true; break;
        case '#': spec->alternate = true; break;
        case '0': spec->zero = true; break;
        case '\'': case 'I': break; /* nothing to group in the C locale */
        default: return f;
        }
}

/* "2$" is the second argument, nothing the next one. */
static const char *parse_argument(const char *f, int *argument) {
    const char *end = f;
    int n = 0;
    while (*end >= '0' && *end <= '9')
        n = n * 10 + (*end++ - '0');
    *argument = n && *end == '$' ? n : NEXT_ARGUMENT;
    return *argument == NEXT_ARGUMENT ? f : end + 1;
}

static const char *parse_number(const char *f, int *number, int *argument) {
    if (*f == '*')
        return parse_argument(f + 1, argument);
    int n = 0;
    while (*f >= '0' && *f <= '9')
        n = n * 10 + (*f++ - '0');
    *number = n;
    return f;
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
    case 'z': case 'Z': *size = size_of_width(sizeof(size_t)); return f + 1;
    case 't': *size = size_of_width(sizeof(ptrdiff_t)); return f + 1;
    }
    return f;
}

/* Reads a conversion from behind its %; returns where its letter is. */
static const char *parse_conversion(const char *f, struct conversion *c) {
    *c = (struct conversion){
        .spec = {.precision = -1}, .width = NO_ARGUMENT, .precision = NO_ARGUMENT};
    f = parse_argument(f, &c->value);
    f = parse_flags(f, &c->spec);
    f = parse_number(f, &c->spec.width, &c->width);
    if (*f == '.')
        f = parse_number(f + 1, &c->spec.precision, &c->precision);
    f = parse_size(f, &c->size);
    c->spec.conversion = *f;
    return f;
}

static bool is_known(char conversion) {
    return conversion && strchr("diouxXbBpcCsSmn%fFeEgGaA", conversion);
}

/* Numbered arguments (%2$d).  What type an argument has is only known from the
 * conversion that takes it, wherever that stands. */

static void skip_value(struct arguments *args, const struct conversion *c) {
    switch (c->spec.conversion) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B': case 'c': case 'C':
        unsigned_argument(args, c->size);
        break;
    case 'p': case 's': case 'S': case 'n': va_arg(args->list, void *); break;
    default:
        if (c->size == SIZE_LONG_DOUBLE)
            va_arg(args->list, long double);
        else
            va_arg(args->list, double);
    }
}

static void skip_argument(struct arguments *args, int argument) {
    struct conversion c;
    const char *f = args->format;
    while ((f = strchr(f, '%'))) {
        f = parse_conversion(f + 1, &c);
        if (c.width == argument || c.precision == argument)
            break;
        if (c.value == argument && is_known(c.spec.conversion)) {
            skip_value(args, &c);
            return;
        }
        if (*f)
            f++;
    }
    va_arg(args->list, int); /* a width, a precision, or one that nobody takes */
}

static void seek_argument(struct arguments *args, int argument) {
    if (argument == NEXT_ARGUMENT)
        return;
    va_end(args->list);
    va_copy(args->list, args->start);
    for (int i = 1; i < argument; i++)
        skip_argument(args, i);
}

static void take_number(struct arguments *args, int argument, int *number) {
    if (argument == NO_ARGUMENT)
        return;
    seek_argument(args, argument);
    *number = va_arg(args->list, int);
}

static void convert(struct sink *sink, struct spec *spec, enum size size, struct arguments *args) {
    switch (spec->conversion) {
    case 'd': case 'i': {
        long long v = signed_argument(args, size);
        const char *sign = v < 0 ? "-" : spec->plus ? "+" : spec->space ? " " : "";
        put_integer(sink, spec, v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v, sign);
        break;
    }
    case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
        put_integer(sink, spec, unsigned_argument(args, size), "");
        break;
    case 'p': {
        void *p = va_arg(args->list, void *);
        spec->alternate = true;
        if (p)
            put_integer(sink, spec, (uintptr_t)p, spec->plus ? "+" : spec->space ? " " : "");
        else
            put_text(sink, spec, "(nil)", 5);
        break;
    }
    case 'c': case 'C': {
        if (size == SIZE_LONG || spec->conversion == 'C') {
            wchar_t wide = (wchar_t)va_arg(args->list, wint_t);
            put_wide_text(sink, spec, &wide, 1);
            break;
        }
        char c = (char)va_arg(args->list, int);
        put_bytes(sink, spec, &c, 1);
        break;
    }
    case 's': case 'S': {
        const char *s = va_arg(args->list, const char *);
        size_t limit = spec->precision < 0 ? (size_t)-1 : (size_t)spec->precision;
        if (!s)
            put_text(sink, spec, "(null)", limit < 6 ? 0 : 6);
        else if (size == SIZE_LONG || spec->conversion == 'S')
            put_wide_text(sink, spec, (const wchar_t *)(const void *)s,
                          wide_length((const wchar_t *)(const void *)s, limit));
        else
            put_bytes(sink, spec, s, strnlen(s, limit));
        break;
    }
    case 'm': {
        const char *s = strerror(errno);
        size_t limit = spec->precision < 0 ? (size_t)-1 : (size_t)spec->precision;
        put_text(sink, spec, s, strnlen(s, limit));
        break;
    }
    case 'n': store_count(va_arg(args->list, void *), size, sink->count); break;
    case '%': __brownout_sink_put(sink, "%", 1); break;
    default: /* one of the letters for floating point */
        if (size == SIZE_LONG_DOUBLE)
            __brownout_format_long_float(sink, spec, va_arg(args->list, long double));
        else
            __brownout_format_float(sink, spec, va_arg(args->list, double));
    }
}

void __brownout_format(struct sink *sink, const char *format, va_list list) {
    struct arguments args = {.format = format};
    va_copy(args.list, list);
    va_copy(args.start, list);
    while (*format) {
        size_t plain = strcspn(format, "%");
        __brownout_sink_put(sink, format, plain);
        format += plain;
        if (!*format)
            break;
        struct conversion c;
        const char *f = parse_conversion(format + 1, &c);
        take_number(&args, c.width, &c.spec.width);
        take_number(&args, c.precision, &c.spec.precision);
        if (c.spec.width < 0) {
            c.spec.left = true;
            c.spec.width = -c.spec.width;
        }
        if (c.spec.precision < 0)
            c.spec.precision = -1;
        if (!is_known(*f)) { /* not ours: as it stands */
            if (*f)
                f++;
            __brownout_sink_put(sink, format, (size_t)(f - format));
            format = f;
            continue;
        }
        seek_argument(&args, c.value);
        convert(sink, &c.spec, c.size, &args);
        if (sink->failed)
            break;
        format = f + 1;
    }
    __brownout_sink_flush(sink);
    if (sink->failed) {
        errno = EILSEQ;
        sink->count = -1;
    }
    va_end(args.start);
    va_end(args.list);
}
