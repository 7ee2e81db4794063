//! The locks of <threads.h>, in a program with one thread.
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int times;
static void count(void) { times++; }

int main(void) {
    mtx_t plain, nested;
    printf("%d %d\n", mtx_init(&plain, mtx_plain), mtx_init(&nested, mtx_plain | mtx_recursive));
    printf("%d %d %d\n", mtx_lock(&plain), mtx_trylock(&plain) == thrd_busy, mtx_unlock(&plain));
    printf("%d %d\n", mtx_trylock(&plain), mtx_unlock(&plain));
    printf("%d %d %d %d\n", mtx_lock(&nested), mtx_lock(&nested), mtx_unlock(&nested), mtx_unlock(&nested));
    mtx_destroy(&plain);
    mtx_destroy(&nested);
    call_once(&once, count);
    call_once(&once, count);
    printf("%d %d\n", times, thrd_equal(thrd_current(), thrd_current()) != 0);
    return 0;
}
