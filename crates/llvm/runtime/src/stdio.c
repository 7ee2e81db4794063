/* stdio.c: streams, and the printf functions by name.
 *
 * There are two streams out, both unbuffered beyond a single call, and one
 * stream in which has always ended.  No file can be opened. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
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

int __brownout_stream(FILE *f) {
    if (f == &__brownout_stdin) {
        f->flags |= STREAM_FAILED;
        errno = EBADF;
        return 0;
    }
    return f == &__brownout_stderr ? 2 : 1;
}

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
    int stream = __brownout_stream(f);
    return stream ? format_to_stream(stream, format, args) : -1;
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

/* Writes to a stream; false if it is none to write to. */
static bool put(FILE *f, const void *p, size_t n) {
    int stream = __brownout_stream(f);
    if (stream)
        __brownout_write(stream, p, n);
    return stream;
}

int fputs(const char *restrict s, FILE *restrict f) { return put(f, s, strlen(s)) ? 1 : EOF; }

int puts(const char *s) {
    __brownout_write(1, s, strlen(s));
    __brownout_write(1, "\n", 1);
    return 1;
}

int fputc(int c, FILE *f) {
    unsigned char byte = (unsigned char)c;
    return put(f, &byte, 1) ? byte : EOF;
}

int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }
int putc_unlocked(int c, FILE *f) { return fputc(c, f); }
int putchar_unlocked(int c) { return fputc(c, stdout); }

size_t fwrite(const void *restrict p, size_t size, size_t count, FILE *restrict f) {
    if (!size || !count)
        return 0;
    return put(f, p, size * count) ? count : 0;
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

/* Input, which has ended; what the program puts back can be read again. */

static int __brownout_pushed = EOF;

int fgetc(FILE *f) {
    int c = f == stdin ? __brownout_pushed : EOF;
    __brownout_pushed = EOF;
    f->flags |= c != EOF ? 0 : f == stdin ? STREAM_ENDED : STREAM_FAILED;
    return c;
}

int getc(FILE *f) { return fgetc(f); }
int getchar(void) { return fgetc(stdin); }
int getc_unlocked(FILE *f) { return fgetc(f); }
int getchar_unlocked(void) { return fgetc(stdin); }

int ungetc(int c, FILE *f) {
    if (c == EOF || f != stdin || __brownout_pushed != EOF)
        return EOF;
    f->flags &= ~STREAM_ENDED;
    return __brownout_pushed = (unsigned char)c;
}

char *fgets(char *restrict s, int size, FILE *restrict f) {
    int n = 0, c = 0;
    while (n + 1 < size && c != '\n' && (c = fgetc(f)) != EOF)
        s[n++] = (char)c;
    if (n == 0)
        return NULL;
    s[n] = 0;
    return s;
}

size_t fread(void *restrict p, size_t size, size_t count, FILE *restrict f) {
    unsigned char *at = p;
    size_t wanted = size * count, n = 0;
    for (int c; n < wanted && (c = fgetc(f)) != EOF; n++)
        at[n] = (unsigned char)c;
    return size ? n / size : 0;
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

int ferror(FILE *f) { return (f->flags & STREAM_FAILED) != 0; }
void clearerr(FILE *f) { f->flags &= ~(STREAM_ENDED | STREAM_FAILED); }
int fileno(FILE *f) { return f == stdin ? 0 : f == stderr ? 2 : 1; }

int setvbuf(FILE *restrict f, char *restrict buffer, int mode, size_t size) {
    (void)f, (void)buffer, (void)mode, (void)size;
    return 0;
}

void setbuf(FILE *restrict f, char *restrict buffer) { (void)f, (void)buffer; }
void setlinebuf(FILE *f) { (void)f; }
