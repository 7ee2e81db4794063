/* stdio.h: formatted text to the two output streams; input is always at its end. */
#ifndef _BROWNOUT_STDIO_H
#define _BROWNOUT_STDIO_H
#include <stdarg.h>
#include <stddef.h>
#include <sys/cdefs.h>
#ifndef _BROWNOUT_SSIZE_T
#define _BROWNOUT_SSIZE_T
typedef ptrdiff_t ssize_t;
#endif
__BEGIN_DECLS
typedef struct _IO_FILE FILE;
typedef long fpos_t;
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 64
#define FILENAME_MAX 64
#define FOPEN_MAX 8
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define L_tmpnam 20
#define TMP_MAX 25
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

#define __BROWNOUT_PRINTF(f, a) __attribute__((__format__(__printf__, f, a)))
#define __BROWNOUT_SCANF(f, a) __attribute__((__format__(__scanf__, f, a)))
int printf(const char *__restrict format, ...) __BROWNOUT_PRINTF(1, 2);
int fprintf(FILE *__restrict f, const char *__restrict format, ...) __BROWNOUT_PRINTF(2, 3);
int dprintf(int fd, const char *__restrict format, ...) __BROWNOUT_PRINTF(2, 3);
int sprintf(char *__restrict s, const char *__restrict format, ...) __BROWNOUT_PRINTF(2, 3);
int snprintf(char *__restrict s, size_t size, const char *__restrict format, ...)
    __BROWNOUT_PRINTF(3, 4);
int vprintf(const char *__restrict format, va_list args) __BROWNOUT_PRINTF(1, 0);
int vfprintf(FILE *__restrict f, const char *__restrict format, va_list args)
    __BROWNOUT_PRINTF(2, 0);
int vdprintf(int fd, const char *__restrict format, va_list args) __BROWNOUT_PRINTF(2, 0);
int vsprintf(char *__restrict s, const char *__restrict format, va_list args)
    __BROWNOUT_PRINTF(2, 0);
int vsnprintf(char *__restrict s, size_t size, const char *__restrict format, va_list args)
    __BROWNOUT_PRINTF(3, 0);

int scanf(const char *__restrict format, ...) __BROWNOUT_SCANF(1, 2);
int fscanf(FILE *__restrict f, const char *__restrict format, ...) __BROWNOUT_SCANF(2, 3);
int sscanf(const char *__restrict s, const char *__restrict format, ...) __BROWNOUT_SCANF(2, 3);
int vsscanf(const char *__restrict s, const char *__restrict format, va_list args)
    __BROWNOUT_SCANF(2, 0);

int vscanf(const char *__restrict format, va_list args) __BROWNOUT_SCANF(1, 0);
int vfscanf(FILE *__restrict f, const char *__restrict format, va_list args) __BROWNOUT_SCANF(2, 0);
int asprintf(char **__restrict s, const char *__restrict format, ...) __BROWNOUT_PRINTF(2, 3);
int vasprintf(char **__restrict s, const char *__restrict format, va_list args)
    __BROWNOUT_PRINTF(2, 0);

int puts(const char *s);
int fputs(const char *__restrict s, FILE *__restrict f);
int putchar(int c);
int putc(int c, FILE *f);
int fputc(int c, FILE *f);
int putc_unlocked(int c, FILE *f);
int putchar_unlocked(int c);
size_t fwrite(const void *__restrict p, size_t size, size_t count, FILE *__restrict f);
void perror(const char *prefix);

int getchar(void);
int getc(FILE *f);
int fgetc(FILE *f);
int ungetc(int c, FILE *f);
char *fgets(char *__restrict s, int size, FILE *__restrict f);
int getc_unlocked(FILE *f);
int getchar_unlocked(void);
ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict f);
ssize_t getdelim(char **__restrict line, size_t *__restrict size, int delimiter, FILE *__restrict f);
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
char *gets(char *s);
#endif
size_t fread(void *__restrict p, size_t size, size_t count, FILE *__restrict f);

FILE *fopen(const char *__restrict path, const char *__restrict mode);
FILE *freopen(const char *__restrict path, const char *__restrict mode, FILE *__restrict f);
FILE *fdopen(int fd, const char *mode);
FILE *tmpfile(void);
char *tmpnam(char *name);
int remove(const char *path);
int rename(const char *from, const char *to);
int fseek(FILE *f, long offset, int origin);
long ftell(FILE *f);
int fgetpos(FILE *__restrict f, fpos_t *__restrict position);
int fsetpos(FILE *f, const fpos_t *position);
void rewind(FILE *f);
int fclose(FILE *f);
int fflush(FILE *f);
int feof(FILE *f);
int ferror(FILE *f);
void clearerr(FILE *f);
int fileno(FILE *f);
int setvbuf(FILE *__restrict f, char *__restrict buffer, int mode, size_t size);
void setlinebuf(FILE *f);
void setbuf(FILE *__restrict f, char *__restrict buffer);
__END_DECLS
#endif
