/* strings.h: the BSD string functions; all are in src/string.c. */
#ifndef _BROWNOUT_STRINGS_H
#define _BROWNOUT_STRINGS_H
#include <stddef.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
int bcmp(const void *a, const void *b, size_t n);
void bcopy(const void *from, void *to, size_t n);
void bzero(void *p, size_t n);
char *index(const char *s, int c);
char *rindex(const char *s, int c);
int ffs(int bits);
int ffsl(long bits);
int ffsll(long long bits);
__END_DECLS
#endif
