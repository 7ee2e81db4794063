/* threads.c: the locks of a program with one thread. */
#include <threads.h>

#include "machine.h"

void call_once(once_flag *flag, void (*function)(void)) {
    if (!*flag) {
        *flag = 1;
        function();
    }
}

int mtx_init(mtx_t *mutex, int kind) {
    mutex->__held = 0;
    mutex->__kind = kind;
    return thrd_success;
}

int mtx_trylock(mtx_t *mutex) {
    if (mutex->__held && !(mutex->__kind & mtx_recursive))
        return thrd_busy;
    mutex->__held++;
    return thrd_success;
}

/* Nobody will ever give a lock back to a thread that waits for it. */
int mtx_lock(mtx_t *mutex) {
    static const char message[] = "mtx_lock: the only thread waits for itself\n";
    if (mtx_trylock(mutex) == thrd_busy) {
        __brownout_write(2, message, sizeof message - 1);
        __brownout_abort();
    }
    return thrd_success;
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    (void)until;
    return mtx_trylock(mutex) == thrd_busy ? thrd_timedout : thrd_success;
}

int mtx_unlock(mtx_t *mutex) {
    mutex->__held--;
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex) { (void)mutex; }
thrd_t thrd_current(void) { return 1; }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) {}
