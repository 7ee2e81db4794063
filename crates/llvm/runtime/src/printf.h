/* printf.h: what the parts of printf share. */
#ifndef BROWNOUT_PRINTF_H
#define BROWNOUT_PRINTF_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Where formatted text goes: to memory, or to a stream in chunks. */
struct sink {
    int stream;  /* 0: memory */
    char *at;    /* memory: the next byte */
    size_t room; /* memory: bytes that may still be written */
    unsigned held;
    int count; /* all bytes so far, whether or not they fitted; -1 in the end if there was no such character */
    bool wide; /* the text is for wide characters, as UTF-8 */
    bool failed;
    char chunk[48];
};

/* One conversion of a format. */
struct spec {
    bool left, plus, space, alternate, zero;
    char conversion;
    int width;
    int precision; /* -1: none given */
};

void __brownout_sink_put(struct sink *sink, const char *text, size_t n);
void __brownout_sink_repeat(struct sink *sink, char c, int n);
void __brownout_sink_flush(struct sink *sink);

/* Sign or prefix, zeros and padding around a body of `body` characters: call
 * before writing the body, and finish with __brownout_field_end. */
int __brownout_field_begin(struct sink *sink, const struct spec *spec, const char *prefix,
                           int body);
void __brownout_field_end(struct sink *sink, const struct spec *spec, int length);

void __brownout_format_float(struct sink *sink, const struct spec *spec, double value);
void __brownout_format_long_float(struct sink *sink, const struct spec *spec, long double value);
void __brownout_format(struct sink *sink, const char *format, va_list args);
#endif
