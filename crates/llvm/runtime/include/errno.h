/* errno.h: error numbers, with the values Linux gives them. */
#ifndef _BROWNOUT_ERRNO_H
#define _BROWNOUT_ERRNO_H
#include <sys/cdefs.h>
__BEGIN_DECLS
int *__errno_location(void);
#define errno (*__errno_location())
__END_DECLS
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define EBADF 9
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38
#define ENODATA 61
#define EPROTO 71
#define EOVERFLOW 75
#define EBADMSG 74
#define EILSEQ 84
#define EMSGSIZE 90
#define ENOTSUP 95
#define ENOBUFS 105
#define ETIMEDOUT 110
#define EALREADY 114
#define EINPROGRESS 115
#define ECANCELED 125
#endif
