/* glibc.c: names that glibc's headers turn ordinary C into.
 *
 * Programs for hosted x86 are compiled against the system's headers, whose
 * macros and inline functions call these.  Other targets never see them. */
#ifdef __linux__
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "stream.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

/* Character classes: tables for -128 to 255, and functions returning them. */

enum {
    UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11, XDIGIT = 1 << 12,
    SPACE = 1 << 13, PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1, CNTRL = 2, PUNCT = 4, ALNUM = 8
};
#define IN(c, from, to) ((c) >= (from) && (c) <= (to))
#define IS_LETTER(c) (IN(c, 'a', 'z') || IN(c, 'A', 'Z'))
#define IS_ALNUM(c) (IS_LETTER(c) || IN(c, '0', '9'))
#define CLASS(c)                                                                        \
    ((IN(c, 'A', 'Z') ? UPPER : 0) | (IN(c, 'a', 'z') ? LOWER : 0) |                    \
     (IS_LETTER(c) ? ALPHA : 0) | (IN(c, '0', '9') ? DIGIT : 0) |                       \
     (IN(c, '0', '9') || IN(c, 'a', 'f') || IN(c, 'A', 'F') ? XDIGIT : 0) |             \
     ((c) == ' ' || IN(c, '\t', '\r') ? SPACE : 0) | (IN(c, 32, 126) ? PRINT : 0) |     \
     (IN(c, 33, 126) ? GRAPH : 0) | ((c) == ' ' || (c) == '\t' ? BLANK : 0) |           \
     (IN(c, 0, 31) || (c) == 127 ? CNTRL : 0) |                                         \
     (IN(c, 33, 126) && !IS_ALNUM(c) ? PUNCT : 0) | (IS_ALNUM(c) ? ALNUM : 0))
#define TO_LOWER(c) (IN(c, 'A', 'Z') ? (c) + 32 : (c))
#define TO_UPPER(c) (IN(c, 'a', 'z') ? (c) - 32 : (c))
#define SAME(c) (c)
#define WAS_SIGNED(c) ((c) == 255 ? -1 : (c))
#define EIGHT(F, c) \
    F(c), F((c) + 1), F((c) + 2), F((c) + 3), F((c) + 4), F((c) + 5), F((c) + 6), F((c) + 7)
#define SIXTY_FOUR(F, c)                                                                 \
    EIGHT(F, c), EIGHT(F, (c) + 8), EIGHT(F, (c) + 16), EIGHT(F, (c) + 24),              \
        EIGHT(F, (c) + 32), EIGHT(F, (c) + 40), EIGHT(F, (c) + 48), EIGHT(F, (c) + 56)

static const unsigned short classes[384] = {
    [128] = SIXTY_FOUR(CLASS, 0), SIXTY_FOUR(CLASS, 64)};
/* Entry -1 is EOF and maps to itself; the other negative ones are characters
 * that were signed and map to what they are unsigned. */
static const int32_t lowers[384] = {
    SIXTY_FOUR(WAS_SIGNED, 128), SIXTY_FOUR(WAS_SIGNED, 192), SIXTY_FOUR(TO_LOWER, 0),
    SIXTY_FOUR(TO_LOWER, 64), SIXTY_FOUR(SAME, 128), SIXTY_FOUR(SAME, 192)};
static const int32_t uppers[384] = {
    SIXTY_FOUR(WAS_SIGNED, 128), SIXTY_FOUR(WAS_SIGNED, 192), SIXTY_FOUR(TO_UPPER, 0),
    SIXTY_FOUR(TO_UPPER, 64), SIXTY_FOUR(SAME, 128), SIXTY_FOUR(SAME, 192)};

const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = classes + 128;
    return &table;
}
const int32_t **__ctype_tolower_loc(void) {
    static const int32_t *table = lowers + 128;
    return &table;
}
const int32_t **__ctype_toupper_loc(void) {
    static const int32_t *table = uppers + 128;
    return &table;
}
size_t __ctype_get_mb_cur_max(void) { return 1; }

/* Streams */

int _IO_putc(int c, FILE *f) { return fputc(c, f); }
int _IO_getc(FILE *f) { return fgetc(f); }
int __overflow(FILE *f, int c) { return fputc(c, f); }
int __uflow(FILE *f) { return fgetc(f); }
int fputc_unlocked(int c, FILE *f) { return fputc(c, f); }
int fflush_unlocked(FILE *f) { return fflush(f); }
void flockfile(FILE *f) { (void)f; }
void funlockfile(FILE *f) { (void)f; }
int fseeko(FILE *f, long offset, int origin) { return fseek(f, offset, origin); }
long ftello(FILE *f) { return ftell(f); }
ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *f) {
    return getdelim(line, size, delimiter, f);
}
int fputs_unlocked(const char *s, FILE *f) { return fputs(s, f); }

#define SCAN(name)                                   \
    int name(const char *s, const char *format, ...) { \
        va_list args;                                \
        va_start(args, format);                      \
        int result = vsscanf(s, format, args);       \
        va_end(args);                                \
        return result;                               \
    }
SCAN(__isoc99_sscanf)
SCAN(__isoc23_sscanf)
int __isoc99_vsscanf(const char *s, const char *format, va_list args) {
    return vsscanf(s, format, args);
}
int __isoc23_vsscanf(const char *s, const char *format, va_list args) {
    return vsscanf(s, format, args);
}
int __isoc99_scanf(const char *format, ...) { return (void)format, fgetc(stdin); }
int __isoc23_scanf(const char *format, ...) { return (void)format, fgetc(stdin); }
int __isoc99_fscanf(FILE *f, const char *format, ...) { return (void)format, fgetc(f); }
int __isoc23_fscanf(FILE *f, const char *format, ...) { return (void)format, fgetc(f); }

#define SCAN_STREAM(name)                                                           \
    int name(FILE *f, const char *format, va_list args) { return vfscanf(f, format, args); }
SCAN_STREAM(__isoc99_vfscanf)
SCAN_STREAM(__isoc23_vfscanf)
int __isoc99_vscanf(const char *format, va_list args) { return vfscanf(stdin, format, args); }
int __isoc23_vscanf(const char *format, va_list args) { return vfscanf(stdin, format, args); }

/* Checked forms, from _FORTIFY_SOURCE */

_Noreturn static void complain(const char *message) {
    __brownout_write(2, message, strlen(message));
    __brownout_abort();
}
_Noreturn void __chk_fail(void) { complain("*** buffer overflow detected ***: terminated\n"); }
_Noreturn void __stack_chk_fail(void) { complain("*** stack smashing detected ***: terminated\n"); }
_Noreturn void __fortify_fail(const char *message) { complain(message); }

static void need(size_t n, size_t room) {
    if (n > room)
        __chk_fail();
}

int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args) {
    (void)flag;
    return vfprintf(f, format, args);
}
int __vprintf_chk(int flag, const char *format, va_list args) {
    (void)flag;
    return vfprintf(stdout, format, args);
}
int __vdprintf_chk(int fd, int flag, const char *format, va_list args) {
    (void)flag;
    return vdprintf(fd, format, args);
}
int __vsnprintf_chk(char *s, size_t size, int flag, size_t room, const char *format,
                    va_list args) {
    (void)flag;
    need(size, room);
    return vsnprintf(s, size, format, args);
}
int __vsprintf_chk(char *s, int flag, size_t room, const char *format, va_list args) {
    (void)flag;
    int n = vsnprintf(s, room, format, args);
    if (room != (size_t)-1)
        need((size_t)n + 1, room);
    return n;
}
#define WITH_ARGUMENTS(call) \
    va_list args;            \
    va_start(args, format);  \
    int result = call;       \
    va_end(args);            \
    return result
int __printf_chk(int flag, const char *format, ...) {
    (void)flag;
    WITH_ARGUMENTS(vfprintf(stdout, format, args));
}
int __fprintf_chk(FILE *f, int flag, const char *format, ...) {
    (void)flag;
    WITH_ARGUMENTS(vfprintf(f, format, args));
}
int __dprintf_chk(int fd, int flag, const char *format, ...) {
    (void)flag;
    WITH_ARGUMENTS(vdprintf(fd, format, args));
}
int __sprintf_chk(char *s, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(__vsprintf_chk(s, flag, room, format, args));
}
int __snprintf_chk(char *s, size_t size, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(__vsnprintf_chk(s, size, flag, room, format, args));
}
char *__fgets_chk(char *s, size_t room, int size, FILE *f) {
    (void)room;
    return fgets(s, size, f);
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
    need(n, room);
    return memcpy(to, from, n);
}
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) {
    need(n, room);
    return mempcpy(to, from, n);
}
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
    need(n, room);
    return memmove(to, from, n);
}
void *__memset_chk(void *to, int c, size_t n, size_t room) {
    need(n, room);
    return memset(to, c, n);
}
char *__strcpy_chk(char *to, const char *from, size_t room) {
    need(strlen(from) + 1, room);
    return strcpy(to, from);
}
char *__stpcpy_chk(char *to, const char *from, size_t room) {
    need(strlen(from) + 1, room);
    return stpcpy(to, from);
}
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
    need(n, room);
    return strncpy(to, from, n);
}
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) {
    need(n, room);
    return stpncpy(to, from, n);
}
char *__strcat_chk(char *to, const char *from, size_t room) {
    need(strlen(to) + strlen(from) + 1, room);
    return strcat(to, from);
}
char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
    need(strlen(to) + strnlen(from, n) + 1, room);
    return strncat(to, from, n);
}
size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t room) {
    need(size, room);
    return strlcpy(to, from, size);
}
size_t __strlcat_chk(char *to, const char *from, size_t size, size_t room) {
    need(size, room);
    return strlcat(to, from, size);
}

/* Other spellings */

char *__strdup(const char *s) { return strdup(s); }
char *__strndup(const char *s, size_t n) { return strndup(s, n); }
char *__strtok_r(char *s, const char *separators, char **state) {
    return strtok_r(s, separators, state);
}
char *__stpcpy(char *to, const char *from) { return stpcpy(to, from); }
void *__rawmemchr(const void *p, int c) { return memchr(p, c, (size_t)-1); }
void *rawmemchr(const void *p, int c) { return memchr(p, c, (size_t)-1); }
int __xpg_strerror_r(int error, char *s, size_t size) {
    strlcpy(s, strerror(error), size);
    return 0;
}

/* Floating point classes.  The sign of isinf's result is glibc's. */

#define CLASSES(T, suffix)                                                                  \
    int __isnan##suffix(T x) { return __fpclassify##suffix(x) == FP_NAN; }                  \
    int __isinf##suffix(T x) {                                                              \
        return __fpclassify##suffix(x) == FP_INFINITE ? (__signbit##suffix(x) ? -1 : 1) : 0; \
    }                                                                                       \
    int __finite##suffix(T x) { return __fpclassify##suffix(x) > FP_INFINITE; }             \
    int __issignaling##suffix(T x) { return __builtin_issignaling(x); }                     \
    int finite##suffix(T x) { return __fpclassify##suffix(x) > FP_INFINITE; }
CLASSES(double, )
CLASSES(float, f)
CLASSES(long double, l)
#undef isnan
#undef isinf
#define OLD_NAMES(T, suffix)                                   \
    int isnan##suffix(T x) { return __isnan##suffix(x); }      \
    int isinf##suffix(T x) { return __isinf##suffix(x); }      \
    T drem##suffix(T x, T y) { return remainder##suffix(x, y); } \
    T pow10##suffix(T x) { return exp10##suffix(x); }          \
    T gamma##suffix(T x) { return lgamma##suffix(x); }         \
    T significand##suffix(T x) {                               \
        int e = ilogb##suffix(x);                              \
        return e == FP_ILOGB0 || e == __INT_MAX__ ? x : scalbn##suffix(x, -e); \
    }
OLD_NAMES(double, )
OLD_NAMES(float, f)
OLD_NAMES(long double, l)
#endif
