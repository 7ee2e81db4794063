/* ctype.h: character classes of the C locale; functions in src/ctype.c. */
#ifndef _BROWNOUT_CTYPE_H
#define _BROWNOUT_CTYPE_H
#include <sys/cdefs.h>
__BEGIN_DECLS
int isalnum(int c);
int isalpha(int c);
int isascii(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int toascii(int c);
int tolower(int c);
int toupper(int c);
__END_DECLS
#endif
