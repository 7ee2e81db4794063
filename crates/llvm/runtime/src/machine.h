/* machine.h: the services the emulator provides to this library.
 *
 * These are the only symbols the library leaves undefined.  Everything else the
 * library does is ordinary C that the emulator executes like the program's own.
 */
#ifndef BROWNOUT_MACHINE_H
#define BROWNOUT_MACHINE_H
#include <stddef.h>

/* Output and the end of the run.  Streams: 1 is stdout, 2 is stderr. */
void __brownout_write(int stream, const void *p, size_t n);
_Noreturn void __brownout_exit(int status);
_Noreturn void __brownout_abort(void);
_Noreturn void __brownout_assert_fail(const char *expression, const char *file, int line,
                                      const char *function);

/* Bulk memory.  The copy may overlap. */
void __brownout_copy(void *to, const void *from, size_t n);
void __brownout_fill(void *to, int byte, size_t n);

/* The heap segment, all zero when the device is first switched on. */
void *__brownout_heap_start(void);
size_t __brownout_heap_size(void);
void __brownout_heap_allocated(void *p, size_t n); /* [p, p+n) now belongs to the program */
void __brownout_heap_freed(void *p);               /* and no longer does */
_Noreturn void __brownout_bad_free(void *p);       /* the program frees what is no block in use */

/* Interrupts: which handlers come in a sleep, one per byte, or 0 if there are none; and a call of the
 * handler of a number, which is made from the handlers that the program has. */
unsigned long long __brownout_await_interrupt(void);
void __brownout_handler(unsigned char number);

/* Of interrupts.c. */
extern unsigned short __brownout_status, __brownout_status_on_exit;
void __brownout_set_status(unsigned short bits);
void __brownout_clear_status(unsigned short bits);
void __brownout_enable(void);
void __brownout_disable(void);

/* Mathematics: MACHINE_MATH1(sin) declares __brownout_sin and __brownout_sinf. */
#define MACHINE_MATH1(name)          \
    double __brownout_##name(double); \
    float __brownout_##name##f(float);
#define MACHINE_MATH2(name)                  \
    double __brownout_##name(double, double); \
    float __brownout_##name##f(float, float);
#define MACHINE_ALL_MATH1(DO)                                                                  \
    DO(sin) DO(cos) DO(tan) DO(asin) DO(acos) DO(atan) DO(sinh) DO(cosh) DO(tanh) DO(asinh)    \
    DO(acosh) DO(atanh) DO(exp) DO(exp2) DO(exp10) DO(expm1) DO(log) DO(log2) DO(log10)        \
    DO(log1p) DO(sqrt) DO(cbrt) DO(floor) DO(ceil) DO(trunc) DO(round) DO(rint) DO(nearbyint)  \
    DO(fabs) DO(erf) DO(erfc) DO(tgamma) DO(lgamma)
#define MACHINE_ALL_MATH2(DO)                                                          \
    DO(atan2) DO(pow) DO(hypot) DO(fmod) DO(remainder) DO(fmin) DO(fmax) DO(copysign) \
    DO(fdim)
MACHINE_ALL_MATH1(MACHINE_MATH1)
MACHINE_ALL_MATH2(MACHINE_MATH2)
double __brownout_fma(double, double, double);
float __brownout_fmaf(float, float, float);
#endif
