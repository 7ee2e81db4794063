/* time.h: calendars.  What time it is comes from outside the program, so time, clock, timespec_get and
 * clock_gettime are left for the firmware or the machine to give. */
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
#define TIME_UTC 1
typedef int clockid_t;
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
int timespec_get(struct timespec *result, int base);
int clock_gettime(clockid_t clock, struct timespec *result);
int nanosleep(const struct timespec *duration, struct timespec *rest);
time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t later, time_t earlier);
struct tm *gmtime(const time_t *when);
struct tm *gmtime_r(const time_t *when, struct tm *result);
struct tm *localtime(const time_t *when);
struct tm *localtime_r(const time_t *when, struct tm *result);
time_t mktime(struct tm *tm);
time_t timegm(struct tm *tm);
char *asctime(const struct tm *tm);
char *asctime_r(const struct tm *tm, char *to);
char *ctime(const time_t *when);
char *ctime_r(const time_t *when, char *to);
size_t strftime(char *to, size_t size, const char *format, const struct tm *tm);
__END_DECLS
#endif
