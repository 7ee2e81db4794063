/* sys/time.h: the time of day, which comes from outside the program. */
#ifndef _BROWNOUT_SYS_TIME_H
#define _BROWNOUT_SYS_TIME_H
#include <sys/cdefs.h>
#include <sys/types.h>
#include <time.h>
__BEGIN_DECLS
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
int gettimeofday(struct timeval *__restrict result, void *__restrict zone);
__END_DECLS
#endif
