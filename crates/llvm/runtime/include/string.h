/* string.h: memory and string functions; in src/string.c and src/errors.c. */
#ifndef _BROWNOUT_STRING_H
#define _BROWNOUT_STRING_H
#include <stddef.h>
#include <strings.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *mempcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
void *memccpy(void *__restrict to, const void *__restrict from, int stop, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *p, int byte, size_t n);
void *memrchr(const void *p, int byte, size_t n);
void *memmem(const void *hay, size_t hay_size, const void *needle, size_t needle_size);

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t n);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t n);
size_t strlcpy(char *__restrict to, const char *__restrict from, size_t size);
size_t strlcat(char *__restrict to, const char *__restrict from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strchrnul(const char *s, int c);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
char *strpbrk(const char *s, const char *accept);
char *strstr(const char *hay, const char *needle);
char *strcasestr(const char *hay, const char *needle);
char *strtok(char *__restrict s, const char *__restrict separators);
char *strtok_r(char *__restrict s, const char *__restrict separators, char **__restrict state);
char *strsep(char **__restrict s, const char *__restrict separators);
char *strdup(const char *s);
char *strndup(const char *s, size_t n);
char *strerror(int error);
#ifdef __linux__
char *strerror_r(int error, char *s, size_t size);
#else
int strerror_r(int error, char *s, size_t size);
#endif
char *strsignal(int number);
void explicit_bzero(void *p, size_t n);
__END_DECLS
#endif
