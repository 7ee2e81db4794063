/* wctype.h: classes of wide characters in the C locale; functions in src/wctype.c. */
#ifndef _BROWNOUT_WCTYPE_H
#define _BROWNOUT_WCTYPE_H
#include <sys/cdefs.h>
__BEGIN_DECLS
#ifndef _BROWNOUT_WINT_T
#define _BROWNOUT_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
#define WEOF ((wint_t)-1)
int iswalnum(wint_t c);
int iswalpha(wint_t c);
int iswblank(wint_t c);
int iswcntrl(wint_t c);
int iswdigit(wint_t c);
int iswgraph(wint_t c);
int iswlower(wint_t c);
int iswprint(wint_t c);
int iswpunct(wint_t c);
int iswspace(wint_t c);
int iswupper(wint_t c);
int iswxdigit(wint_t c);
wint_t towlower(wint_t c);
wint_t towupper(wint_t c);
wctype_t wctype(const char *name);
int iswctype(wint_t c, wctype_t kind);
wctrans_t wctrans(const char *name);
wint_t towctrans(wint_t c, wctrans_t mapping);
__END_DECLS
#endif
