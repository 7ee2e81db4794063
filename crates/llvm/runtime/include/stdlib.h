/* stdlib.h: numbers from text, sorting, memory, program end. */
#ifndef _BROWNOUT_STDLIB_H
#define _BROWNOUT_STDLIB_H
#include <alloca.h>
#include <stddef.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define MB_CUR_MAX ((size_t)1)
#ifdef __linux__ /* glibc's headers promise this much there */
#define RAND_MAX 2147483647
#else
#define RAND_MAX 32767
#endif

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

int abs(int v);
long labs(long v);
long long llabs(long long v);
div_t div(int n, int d);
ldiv_t ldiv(long n, long d);
lldiv_t lldiv(long long n, long long d);

int atoi(const char *s);
long atol(const char *s);
long long atoll(const char *s);
double atof(const char *s);
long strtol(const char *__restrict s, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict s, char **__restrict end, int base);
long long strtoll(const char *__restrict s, char **__restrict end, int base);
unsigned long long strtoull(const char *__restrict s, char **__restrict end, int base);
float strtof(const char *__restrict s, char **__restrict end);
double strtod(const char *__restrict s, char **__restrict end);
long double strtold(const char *__restrict s, char **__restrict end);

int mblen(const char *s, size_t n);
int mbtowc(wchar_t *__restrict to, const char *__restrict s, size_t n);
int wctomb(char *to, wchar_t c);
size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t n);
size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t n);

int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
unsigned short *seed48(unsigned short state[3]);
void lcong48(unsigned short state[7]);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *p, size_t size);
void *reallocarray(void *p, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **result, size_t alignment, size_t size);
void free(void *p);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *context);
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

__BROWNOUT_NORETURN void abort(void);
__BROWNOUT_NORETURN void exit(int status);
__BROWNOUT_NORETURN void _Exit(int status);
__BROWNOUT_NORETURN void quick_exit(int status);
int atexit(void (*handler)(void));
int at_quick_exit(void (*handler)(void));
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int system(const char *command);
__END_DECLS
#endif
