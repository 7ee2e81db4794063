/* setjmp.h: declarations only; the machine itself carries out these calls. */
#ifndef _BROWNOUT_SETJMP_H
#define _BROWNOUT_SETJMP_H
#include <sys/cdefs.h>
__BEGIN_DECLS
typedef __UINTPTR_TYPE__ jmp_buf[8];
typedef __UINTPTR_TYPE__ sigjmp_buf[8];
int setjmp(jmp_buf state) __attribute__((__returns_twice__));
int _setjmp(jmp_buf state) __attribute__((__returns_twice__));
int sigsetjmp(sigjmp_buf state, int keep_mask) __attribute__((__returns_twice__));
__BROWNOUT_NORETURN void longjmp(jmp_buf state, int value);
__BROWNOUT_NORETURN void _longjmp(jmp_buf state, int value);
__BROWNOUT_NORETURN void siglongjmp(sigjmp_buf state, int value);
#define setjmp(state) setjmp(state)
__END_DECLS
#endif
