//! Every name that C11 has in <signal.h> is there: signals.
#define _GNU_SOURCE 1
#include <signal.h>
#include <stdio.h>

#ifndef SIG_DFL
#error SIG_DFL
#endif
#ifndef SIG_ERR
#error SIG_ERR
#endif
#ifndef SIG_IGN
#error SIG_IGN
#endif
#ifndef SIGABRT
#error SIGABRT
#endif
#ifndef SIGFPE
#error SIGFPE
#endif
#ifndef SIGILL
#error SIGILL
#endif
#ifndef SIGINT
#error SIGINT
#endif
#ifndef SIGSEGV
#error SIGSEGV
#endif
#ifndef SIGTERM
#error SIGTERM
#endif

static void (*const functions[])(void) = {
    (void (*)(void))signal, (void (*)(void))raise,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
