//! `signal` and `raise`: handlers are called, ignored signals are not.
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen, last;

static void handler(int number) {
    seen++;
    last = number;
}

int main(void) {
    // Whoever starts the program may have them ignored.
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    void (*before)(int) = signal(SIGTERM, handler);
    printf("%d\n", before == SIG_DFL);
    printf("%d %d\n", raise(SIGTERM), (int)seen);
    printf("%d\n", signal(SIGINT, SIG_IGN) == SIG_DFL);
    printf("%d %d\n", raise(SIGINT), (int)seen);
    signal(SIGINT, handler);
    raise(SIGINT);
    printf("%d %d\n", (int)seen, last == SIGINT);
    printf("%d\n", signal(SIGTERM, SIG_DFL) == handler);
    printf("%d %d\n", raise(-3), signal(999, handler) == SIG_ERR);
    return 0;
}
