/* signal and raise: a table of handlers. */

#include "machine.h"
#include <errno.h>
#include <signal.h>

#define SIGNALS 65
static sighandler_t __brownout_handlers[SIGNALS];

/* What these do by default is nothing. */
static int is_ignored(int number) {
    enum { CHILD = 17, CONTINUE = 18, URGENT = 23, WINDOW = 28 };
    return number == CHILD || number == CONTINUE || number == URGENT || number == WINDOW;
}

sighandler_t signal(int number, sighandler_t handler) {
    if (number < 1 || number >= SIGNALS) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sighandler_t before = __brownout_handlers[number];
    __brownout_handlers[number] = handler;
    return before;
}

int raise(int number) {
    if (number < 1 || number >= SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    sighandler_t handler = __brownout_handlers[number];
    if (handler == SIG_DFL && !is_ignored(number))
        __brownout_abort();
    if (handler != SIG_DFL && handler != SIG_IGN)
        handler(number);
    return 0;
}
