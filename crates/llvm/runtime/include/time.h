/* time.h: types and declarations only.  What time it is comes from outside the
 * program, so the functions are left for the firmware or the machine to give. */
#ifndef _BROWNOUT_TIME_H
#define _BROWNOUT_TIME_H
#include <stddef.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
#ifndef _BROWNOUT_TIME_T
#define _BROWNOUT_TIME_T
typedef long time_t;
#endif
typedef long clock_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
time_t time(time_t *result);
clock_t clock(void);
__END_DECLS
#endif
