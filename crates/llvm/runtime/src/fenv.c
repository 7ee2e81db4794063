/* fenv.c: the floating-point environment, of which there is one.
 *
 * No other rounding can be set, which fesetround says.  What would tell of exceptions is missing where
 * headers have names for them (glibc's): a program that asks for them is refused by name, as nothing
 * records them. */
#include <fenv.h>

int fegetround(void) { return FE_TONEAREST; }
int fesetround(int mode) { return mode != FE_TONEAREST; }

int feclearexcept(int exceptions) {
    (void)exceptions;
    return 0;
}
int fegetenv(fenv_t *environment) {
    *environment = 0;
    return 0;
}
int feholdexcept(fenv_t *environment) { return fegetenv(environment); }
int fesetenv(const fenv_t *environment) {
    (void)environment;
    return 0;
}
int feupdateenv(const fenv_t *environment) { return fesetenv(environment); }

#ifndef __linux__
int fetestexcept(int exceptions) {
    (void)exceptions;
    return 0;
}
int feraiseexcept(int exceptions) { return exceptions; }
int fegetexceptflag(fexcept_t *flags, int exceptions) {
    *flags = 0;
    return exceptions;
}
int fesetexceptflag(const fexcept_t *flags, int exceptions) {
    (void)flags;
    return exceptions;
}
#endif
