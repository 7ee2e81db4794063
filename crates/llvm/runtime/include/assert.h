/* assert.h: a failed assertion ends the run through the machine.  No include
 * guard: C lets a file include it again with another setting of NDEBUG. */
#include <sys/cdefs.h>
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#if !defined(static_assert) && !defined(__cplusplus) && \
    (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 202311L)
#define static_assert _Static_assert
#endif
#ifndef _BROWNOUT_ASSERT_H
#define _BROWNOUT_ASSERT_H
__BEGIN_DECLS
__BROWNOUT_NORETURN void __assert_fail(const char *expression, const char *file, unsigned line,
                                       const char *function);
__END_DECLS
#endif
