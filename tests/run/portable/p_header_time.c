//! Every name that C11 has in <time.h> is there: calendars.
#define _GNU_SOURCE 1
#include <time.h>
#include <stdio.h>

#ifndef NULL
#error NULL
#endif
#ifndef CLOCKS_PER_SEC
#error CLOCKS_PER_SEC
#endif

enum { SIZES = !sizeof(clock_t) + !sizeof(time_t) + !sizeof(size_t) };

static void (*const functions[])(void) = {
    (void (*)(void))difftime, (void (*)(void))mktime, (void (*)(void))asctime, (void (*)(void))ctime,
    (void (*)(void))gmtime, (void (*)(void))localtime, (void (*)(void))strftime, (void (*)(void))gmtime_r,
    (void (*)(void))localtime_r, (void (*)(void))asctime_r, (void (*)(void))ctime_r,
    (void (*)(void))nanosleep,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
