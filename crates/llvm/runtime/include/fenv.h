/* fenv.h: floating point rounds to nearest, and nothing records what it did on the way, as with the
 * floating point of these processors' libraries; so C has no name here for any exception. */
#ifndef _BROWNOUT_FENV_H
#define _BROWNOUT_FENV_H
#include <sys/cdefs.h>
__BEGIN_DECLS
typedef unsigned long fenv_t;
typedef unsigned long fexcept_t;
#define FE_ALL_EXCEPT 0
#define FE_TONEAREST 0
#define FE_DFL_ENV ((const fenv_t *)-1)
int feclearexcept(int exceptions);
int fegetexceptflag(fexcept_t *flags, int exceptions);
int feraiseexcept(int exceptions);
int fesetexceptflag(const fexcept_t *flags, int exceptions);
int fetestexcept(int exceptions);
int fegetround(void);
int fesetround(int mode);
int fegetenv(fenv_t *environment);
int feholdexcept(fenv_t *environment);
int fesetenv(const fenv_t *environment);
int feupdateenv(const fenv_t *environment);
__END_DECLS
#endif
