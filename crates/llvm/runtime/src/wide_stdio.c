/* wide_stdio.c: wide text to and from streams and wide strings.
 *
 * Formats become UTF-8 and go to the functions for narrow text.  What is written to a stream is bytes,
 * of which the C locale has those below 128. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "number.h"
#include "printf.h"
#include "stream.h"
#include "wide.h"

#define STREAM_WIDE 0x4000

/* The UTF-8 of wide text, on the stack of the function that says this. */
#define AS_BYTES(name, text)                       \
    char name[wcslen(text) * WIDE_MOST + 1];       \
    if (wide_text(name, text) == (size_t)-1) {     \
        errno = EILSEQ;                            \
        return -1;                                 \
    }

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list args) {
    AS_BYTES(bytes, format)
    for (const char *p = bytes; *p; p++)
        if (*p & 0x80) {
            errno = EILSEQ;
            return -1;
        }
    fwide(f, 1);
    return vfprintf(f, bytes, args);
}

int vswprintf(wchar_t *restrict s, size_t size, const wchar_t *restrict format, va_list args) {
    AS_BYTES(bytes, format)
    if (size == 0)
        return -1;
    char text[(size - 1) * WIDE_MOST + 1];
    struct sink sink;
    sink.stream = 0;
    sink.at = text;
    sink.room = (size - 1) * WIDE_MOST;
    sink.held = 0;
    sink.count = 0;
    sink.wide = true;
    sink.failed = false;
    __brownout_format(&sink, bytes, args);
    *sink.at = 0;
    size_t n = 0;
    const char *p = text;
    for (; *p && n + 1 < size; n++)
        p = wide_character(p, s + n);
    s[n] = 0;
    bool fits = !*p && sink.count == (int)(sink.at - text);
    return fits ? (int)n : -1;
}

int vwprintf(const wchar_t *restrict format, va_list args) { return vfwprintf(stdout, format, args); }

#define WITH_ARGUMENTS(call) \
    va_list args;            \
    va_start(args, format);  \
    int result = call;       \
    va_end(args);            \
    return result

int wprintf(const wchar_t *restrict format, ...) { WITH_ARGUMENTS(vfwprintf(stdout, format, args)); }
int fwprintf(FILE *restrict f, const wchar_t *restrict format, ...) {
    WITH_ARGUMENTS(vfwprintf(f, format, args));
}
int swprintf(wchar_t *restrict s, size_t size, const wchar_t *restrict format, ...) {
    WITH_ARGUMENTS(vswprintf(s, size, format, args));
}

int vswscanf(const wchar_t *restrict s, const wchar_t *restrict format, va_list args) {
    AS_BYTES(text, s)
    AS_BYTES(bytes, format)
    return __brownout_scan(text, bytes, args, true);
}
int swscanf(const wchar_t *restrict s, const wchar_t *restrict format, ...) {
    WITH_ARGUMENTS(vswscanf(s, format, args));
}

/* Characters */

wint_t fputwc(wchar_t c, FILE *f) {
    fwide(f, 1);
    if (wctob((wint_t)c) == EOF) {
        errno = EILSEQ;
        return WEOF;
    }
    fputc((int)c, f);
    return (wint_t)c;
}

wint_t putwc(wchar_t c, FILE *f) { return fputwc(c, f); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

int fputws(const wchar_t *restrict s, FILE *restrict f) {
    for (; *s; s++)
        if (fputwc(*s, f) == WEOF)
            return -1;
    return 1;
}

/* Positive if the stream is one for wide characters, which it becomes by being used as one. */
int fwide(FILE *f, int mode) {
    if (mode > 0)
        f->flags |= STREAM_WIDE;
    return f->flags & STREAM_WIDE ? 1 : mode < 0 ? -1 : 0;
}

/* Input, which has ended */

wint_t fgetwc(FILE *f) {
    fgetc(f);
    return WEOF;
}
wint_t getwc(FILE *f) { return fgetwc(f); }
wint_t getwchar(void) { return fgetwc(stdin); }

wint_t ungetwc(wint_t c, FILE *f) {
    (void)c, (void)f;
    return WEOF;
}

wchar_t *fgetws(wchar_t *restrict s, int size, FILE *restrict f) {
    (void)s, (void)size;
    fgetc(f);
    return NULL;
}

int vfwscanf(FILE *restrict f, const wchar_t *restrict format, va_list args) {
    (void)format, (void)args;
    return fgetc(f);
}
int vwscanf(const wchar_t *restrict format, va_list args) { return vfwscanf(stdin, format, args); }
int fwscanf(FILE *restrict f, const wchar_t *restrict format, ...) {
    (void)format;
    return fgetc(f);
}
int wscanf(const wchar_t *restrict format, ...) {
    (void)format;
    return fgetc(stdin);
}

#ifdef __linux__ /* the names that glibc's headers give to scanf */
#define SCANS(prefix)                                                                            \
    int prefix##swscanf(const wchar_t *restrict s, const wchar_t *restrict format, ...) {        \
        WITH_ARGUMENTS(vswscanf(s, format, args));                                               \
    }                                                                                            \
    int prefix##vswscanf(const wchar_t *s, const wchar_t *format, va_list args) {                \
        return vswscanf(s, format, args);                                                        \
    }                                                                                            \
    int prefix##wscanf(const wchar_t *format, ...) { return (void)format, fgetc(stdin); }        \
    int prefix##fwscanf(FILE *f, const wchar_t *format, ...) { return (void)format, fgetc(f); }  \
    int prefix##vwscanf(const wchar_t *format, va_list args) { return vwscanf(format, args); }   \
    int prefix##vfwscanf(FILE *f, const wchar_t *format, va_list args) { return vfwscanf(f, format, args); }
SCANS(__isoc99_)
SCANS(__isoc23_)
#endif
