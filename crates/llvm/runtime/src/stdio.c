/* stdio.c: streams, and the printf functions by name.
 *
 * There are two streams out, both unbuffered beyond a single call, and one
 * stream in which has always ended.  No file can be opened. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "printf.h"
#include "stream.h"

static struct _IO_FILE __brownout_stdin, __brownout_stdout, __brownout_stderr;
FILE *stdin = &__brownout_stdin;
FILE *stdout = &__brownout_stdout;
FILE *stderr = &__brownout_stderr;

int __brownout_stream(FILE *f) { return f == &__brownout_stderr ? 2 : 1; }

/* Formatted output */

static int format_to_stream(int stream, const char *format, va_list args) {
    struct sink sink;
    sink.stream = stream;
    sink.held = 0;
    sink.count = 0;
    sink.wide = sink.failed = false;
    __brownout_format(&sink, format, args);
    return sink.count;
}

int vfprintf(FILE *restrict f, const char *restrict format, va_list args) {
    return format_to_stream(__brownout_stream(f), format, args);
}

int vdprintf(int fd, const char *restrict format, va_list args) {
    if (fd != 1 && fd != 2) {
        errno = EBADF;
        return -1;
    }
    return format_to_stream(fd, format, args);
}

int vsnprintf(char *restrict s, size_t size, const char *restrict format, va_list args) {
    struct sink sink;
    sink.stream = 0;
    sink.at = s;
    sink.room = size ? size - 1 : 0;
    sink.held = 0;
    sink.count = 0;
    sink.wide = sink.failed = false;
    __brownout_format(&sink, format, args);
    if (size)
        *sink.at = 0;
    return sink.count;
}

int vsprintf(char *restrict s, const char *restrict format, va_list args) {
    return vsnprintf(s, (size_t)-1, format, args);
}

int vprintf(const char *restrict format, va_list args) { return vfprintf(stdout, format, args); }

#define WITH_ARGUMENTS(last, call) \
    va_list args;                  \
    va_start(args, last);          \
    int result = call;             \
    va_end(args);                  \
    return result

int printf(const char *restrict format, ...) {
    WITH_ARGUMENTS(format, vfprintf(stdout, format, args));
}
int fprintf(FILE *restrict f, const char *restrict format, ...) {
    WITH_ARGUMENTS(format, vfprintf(f, format, args));
}
int dprintf(int fd, const char *restrict format, ...) {
    WITH_ARGUMENTS(format, vdprintf(fd, format, args));
}
int sprintf(char *restrict s, const char *restrict format, ...) {
    WITH_ARGUMENTS(format, vsnprintf(s, (size_t)-1, format, args));
}
int snprintf(char *restrict s, size_t size, const char *restrict format, ...) {
    WITH_ARGUMENTS(format, vsnprintf(s, size, format, args));
}

/* Plain output */

int fputs(const char *restrict s, FILE *restrict f) {
    __brownout_write(__brownout_stream(f), s, strlen(s));
    return 1;
}

int puts(const char *s) {
    __brownout_write(1, s, strlen(s));
    __brownout_write(1, "\n", 1);
    return 1;
}

int fputc(int c, FILE *f) {
    unsigned char byte = (unsigned char)c;
    __brownout_write(__brownout_stream(f), &byte, 1);
    return byte;
}

int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }
int putc_unlocked(int c, FILE *f) { return fputc(c, f); }
int putchar_unlocked(int c) { return fputc(c, stdout); }

size_t fwrite(const void *restrict p, size_t size, size_t count, FILE *restrict f) {
    if (size && count)
        __brownout_write(__brownout_stream(f), p, size * count);
    return size ? count : 0;
}

ssize_t write(int fd, const void *p, size_t n) {
    if (fd != 1 && fd != 2) {
        errno = EBADF;
        return -1;
    }
    __brownout_write(fd, p, n);
    return (ssize_t)n;
}

void perror(const char *prefix) {
    const char *message = strerror(errno);
    if (prefix && *prefix)
        fprintf(stderr, "%s: %s\n", prefix, message);
    else
        fprintf(stderr, "%s\n", message);
}

/* Input, which has ended */

int fgetc(FILE *f) {
    f->flags |= STREAM_ENDED;
    return EOF;
}

int getc(FILE *f) { return fgetc(f); }
int getchar(void) { return fgetc(stdin); }
int getc_unlocked(FILE *f) { return fgetc(f); }
int getchar_unlocked(void) { return fgetc(stdin); }

int ungetc(int c, FILE *f) {
    (void)c, (void)f;
    return EOF;
}

char *fgets(char *restrict s, int size, FILE *restrict f) {
    (void)s, (void)size;
    fgetc(f);
    return NULL;
}

size_t fread(void *restrict p, size_t size, size_t count, FILE *restrict f) {
    (void)p;
    if (size && count)
        fgetc(f);
    return 0;
}

ssize_t read(int fd, void *p, size_t n) {
    (void)p, (void)n;
    if (fd == 0)
        return 0;
    errno = EBADF;
    return -1;
}

/* Streams */

int fclose(FILE *f) {
    (void)f;
    return 0;
}

int fflush(FILE *f) {
    (void)f;
    return 0;
}

int feof(FILE *f) { return (f->flags & STREAM_ENDED) != 0; }

int ferror(FILE *f) {
    (void)f;
    return 0;
}

void clearerr(FILE *f) { f->flags &= ~STREAM_ENDED; }
int fileno(FILE *f) { return f == stdin ? 0 : __brownout_stream(f); }

int setvbuf(FILE *restrict f, char *restrict buffer, int mode, size_t size) {
    (void)f, (void)buffer, (void)mode, (void)size;
    return 0;
}

void setbuf(FILE *restrict f, char *restrict buffer) { (void)f, (void)buffer; }
void setlinebuf(FILE *f) { (void)f; }
