/* sys/cdefs.h: C linkage brackets, so every other header works from C++ too. */
#ifndef _BROWNOUT_SYS_CDEFS_H
#define _BROWNOUT_SYS_CDEFS_H
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define __BROWNOUT_NORETURN __attribute__((__noreturn__))
#else
#define __BEGIN_DECLS
#define __END_DECLS
#define __BROWNOUT_NORETURN _Noreturn
#endif
#endif
