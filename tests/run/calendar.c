//! Calendars: times to dates and back, and dates as text.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void show(time_t when) {
    struct tm tm;
    char text[120];
    memset(&tm, 0, sizeof tm);
    gmtime_r(&when, &tm);
    printf("%ld: %d-%d-%d %d:%d:%d day %d of the week, %d of the year\n", (long)when, tm.tm_year + 1900,
           tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday);
    strftime(text, sizeof text, "%a %A %b %B %d %e %j %U %V %W %G %g %u %w %y %Y %C%%", &tm);
    puts(text);
    strftime(text, sizeof text, "%c|%D|%F|%H %I %M %S %p|%r|%R|%T|%x|%X|%n", &tm);
    puts(text);
    printf("%ld %s", (long)timegm(&tm), asctime(&tm));
}

int main(void) {
    static const long times[] = {0, 1, 59, 951782399, 951782400, 951868800, 1000000000, 1234567890, 1709164800,
                                 1735603200, 1767225599, 2147483647, -1, -86400, -86401, -2000000000};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) show((time_t)times[i]);
    struct tm odd = {.tm_year = 123, .tm_mon = 14, .tm_mday = -3, .tm_hour = 30, .tm_min = -90, .tm_sec = 4000};
    printf("%ld %d-%d-%d\n", (long)timegm(&odd), odd.tm_year, odd.tm_mon, odd.tm_mday);
    char small[4];
    printf("%u %u\n", (unsigned)strftime(small, sizeof small, "%y", &odd), (unsigned)strftime(small, sizeof small, "%Y", &odd));
    printf("%.1f\n", difftime(5, 7));
    return 0;
}
