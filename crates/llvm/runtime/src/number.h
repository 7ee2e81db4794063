/* number.h: numbers from text, as strtol, strtod and sscanf share them. */
#ifndef BROWNOUT_NUMBER_H
#define BROWNOUT_NUMBER_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct scanned {
    size_t used; /* characters that belong to the number; 0: there is none */
    bool negative;
    bool range;               /* too large or too small to represent */
    unsigned long long value; /* integers: the magnitude */
    double real;              /* floating point */
};

/* Reads at most `width` characters at s; no leading white space is skipped.
 * base is 0 or 2..36; `binary` lets 0b introduce base 2, as C23 wants. */
void __brownout_scan_integer(struct scanned *result, const char *s, size_t width, int base,
                             bool binary);

/* `single` rounds to float instead of double. */
void __brownout_scan_real(struct scanned *result, const char *s, size_t width, bool single);

/* sscanf, of text that is UTF-8 if it and the format stand for `wide` characters. */
int __brownout_scan(const char *s, const char *format, va_list args, bool wide);

static inline bool is_blank_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
#endif
