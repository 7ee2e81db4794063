/* Calendars: what <time.h> computes from a time that the program already has.  What time it is comes from
 * outside the program (time, clock), and the zone is UTC.  Nothing here keeps state but the results that
 * the standard says are kept. */

#include <stddef.h>
#include <string.h>
#include <time.h>

#define DAY 86400L

/* Days from 1970-01-01 to the first of a month, which may lie outside the year.  Years are counted from
 * March, so that the day that some of them have more is their last. */
static long days_before(long year, long month) {
    year += month / 12;
    month %= 12;
    if (month < 0) month += 12, year--;
    /* From March: month 0. */
    long shifted = month < 2 ? month + 10 : month - 2;
    if (month < 2) year--;
    long century = (year >= 0 ? year : year - 99) / 100;
    long leaps = (year >= 0 ? year : year - 3) / 4 - century + (year >= 0 ? year : year - 399) / 400;
    return year * 365 + leaps + (153 * shifted + 2) / 5 - 719468L;
}

static int is_leap(long year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

struct tm *gmtime_r(const time_t *when, struct tm *result) {
    time_t days = *when / DAY;
    long second = (long)(*when % DAY);
    if (second < 0) second += DAY, days--;
    /* No year is longer than this, so the guess is never too late. */
    long year = 1970 + (long)(days / 366);
    if (days < 0) year--;
    while (days_before(year + 1, 0) <= days) year++;
    while (days_before(year, 0) > days) year--;
    long month = 11;
    while (days_before(year, month) > days) month--;
    result->tm_sec = (int)(second % 60);
    result->tm_min = (int)(second / 60 % 60);
    result->tm_hour = (int)(second / 3600);
    result->tm_mday = (int)(days - days_before(year, month)) + 1;
    result->tm_mon = (int)month;
    result->tm_year = (int)(year - 1900);
    /* The first of January 1970 was a Thursday. */
    result->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    result->tm_yday = (int)(days - days_before(year, 0));
    result->tm_isdst = 0;
    return result;
}

struct tm *localtime_r(const time_t *when, struct tm *result) {
    return gmtime_r(when, result);
}

struct tm *gmtime(const time_t *when) {
    /* Some systems have more members than ours. */
    static union { struct tm tm; long room[10]; } kept;
    return gmtime_r(when, &kept.tm);
}

struct tm *localtime(const time_t *when) {
    return gmtime(when);
}

time_t timegm(struct tm *tm) {
    time_t days = (time_t)days_before(tm->tm_year + 1900L, tm->tm_mon) + tm->tm_mday - 1;
    time_t when = days * DAY + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
    gmtime_r(&when, tm);
    return when;
}

time_t mktime(struct tm *tm) {
    return timegm(tm);
}

double difftime(time_t later, time_t earlier) {
    return (double)later - (double)earlier;
}

static const char day_names[] = "SundayMondayTuesdayWednesdayThursdayFridaySaturday";
static const unsigned char day_at[] = {0, 6, 12, 19, 28, 36, 42, 50};
static const char month_names[] =
    "JanuaryFebruaryMarchAprilMayJuneJulyAugustSeptemberOctoberNovemberDecember";
static const unsigned char month_at[] = {0, 7, 15, 20, 25, 28, 32, 36, 42, 51, 58, 66, 74};

/* A text that is being written, of which `room` characters fit. */
struct text { char *at; size_t room, length; };

static void put(struct text *text, char c) {
    if (text->length < text->room) text->at[text->length] = c;
    text->length++;
}

static void put_number(struct text *text, long number, int width, char fill) {
    char digits[12];
    int count = 0;
    if (number < 0) put(text, '-'), number = -number, width--;
    do digits[count++] = (char)('0' + number % 10); while ((number /= 10) && count < 12);
    while (width-- > count) put(text, fill);
    while (count) put(text, digits[--count]);
}

static void put_name(struct text *text, const char *names, const unsigned char *at, int which, int count, int most) {
    if (which < 0 || which >= count) {
        put(text, '?');
        return;
    }
    for (int i = at[which]; i < at[which + 1] && most--; i++) put(text, names[i]);
}

/* The number of the week, if weeks begin with day `first` of the week. */
static int week(const struct tm *tm, int first) {
    return (tm->tm_yday + 7 - (tm->tm_wday - first + 7) % 7) / 7;
}

/* The week of ISO 8601, and the year that it belongs to. */
static int iso_week(const struct tm *tm, long *year) {
    int weekday = (tm->tm_wday + 6) % 7;
    int number = (tm->tm_yday - weekday + 10) / 7;
    *year = tm->tm_year + 1900L;
    if (number == 0) {
        long last = --*year;
        int days = tm->tm_yday + (is_leap(last) ? 366 : 365);
        return (days - weekday + 10) / 7;
    }
    if (number == 53 && tm->tm_yday - weekday + 3 >= (is_leap(*year) ? 366 : 365)) {
        ++*year;
        return 1;
    }
    return number;
}

static void put_format(struct text *text, const char *format, const struct tm *tm) {
    long year;
    for (; *format; format++) {
        if (*format != '%') {
            put(text, *format);
            continue;
        }
        if (*++format == 'E' || *format == 'O') format++;
        int hour = tm->tm_hour % 12 ? tm->tm_hour % 12 : 12;
        switch (*format) {
        case 'a': put_name(text, day_names, day_at, tm->tm_wday, 7, 3); break;
        case 'A': put_name(text, day_names, day_at, tm->tm_wday, 7, 20); break;
        case 'b': case 'h': put_name(text, month_names, month_at, tm->tm_mon, 12, 3); break;
        case 'B': put_name(text, month_names, month_at, tm->tm_mon, 12, 20); break;
        case 'c': put_format(text, "%a %b %e %H:%M:%S %Y", tm); break;
        case 'C': put_number(text, (tm->tm_year + 1900L) / 100, 2, '0'); break;
        case 'd': put_number(text, tm->tm_mday, 2, '0'); break;
        case 'D': case 'x': put_format(text, "%m/%d/%y", tm); break;
        case 'e': put_number(text, tm->tm_mday, 2, ' '); break;
        case 'F': put_format(text, "%Y-%m-%d", tm); break;
        case 'g': iso_week(tm, &year), put_number(text, year % 100, 2, '0'); break;
        case 'G': iso_week(tm, &year), put_number(text, year, 1, '0'); break;
        case 'H': put_number(text, tm->tm_hour, 2, '0'); break;
        case 'I': put_number(text, hour, 2, '0'); break;
        case 'j': put_number(text, tm->tm_yday + 1L, 3, '0'); break;
        case 'm': put_number(text, tm->tm_mon + 1L, 2, '0'); break;
        case 'M': put_number(text, tm->tm_min, 2, '0'); break;
        case 'n': put(text, '\n'); break;
        case 'p': put(text, tm->tm_hour < 12 ? 'A' : 'P'), put(text, 'M'); break;
        case 'r': put_format(text, "%I:%M:%S %p", tm); break;
        case 'R': put_format(text, "%H:%M", tm); break;
        case 'S': put_number(text, tm->tm_sec, 2, '0'); break;
        case 't': put(text, '\t'); break;
        case 'T': case 'X': put_format(text, "%H:%M:%S", tm); break;
        case 'u': put_number(text, tm->tm_wday ? tm->tm_wday : 7, 1, '0'); break;
        case 'U': put_number(text, week(tm, 0), 2, '0'); break;
        case 'V': put_number(text, iso_week(tm, &year), 2, '0'); break;
        case 'w': put_number(text, tm->tm_wday, 1, '0'); break;
        case 'W': put_number(text, week(tm, 1), 2, '0'); break;
        case 'y': put_number(text, (tm->tm_year % 100 + 100) % 100, 2, '0'); break;
        case 'Y': put_number(text, tm->tm_year + 1900L, 1, '0'); break;
        case 'z': put_format(text, "+0000", tm); break;
        case 'Z': put_format(text, "GMT", tm); break;
        case '%': put(text, '%'); break;
        case 0: return;
        default: put(text, '%'), put(text, *format);
        }
    }
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *tm) {
    struct text text = {to, size, 0};
    put_format(&text, format, tm);
    if (text.length >= size) return 0;
    to[text.length] = 0;
    return text.length;
}

char *asctime_r(const struct tm *tm, char *to) {
    to[strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", tm)] = 0;
    return to;
}

char *asctime(const struct tm *tm) {
    static char kept[26];
    return asctime_r(tm, kept);
}

char *ctime(const time_t *when) {
    return asctime(gmtime(when));
}

char *ctime_r(const time_t *when, char *to) {
    struct tm tm;
    return asctime_r(gmtime_r(when, &tm), to);
}
