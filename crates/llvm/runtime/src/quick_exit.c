/* quick_exit.c: the end of the program without the functions of atexit. */
#include <stdlib.h>

#include "machine.h"

#define HANDLERS 32
static void (*__brownout_quick_handlers[HANDLERS])(void);
static int __brownout_quick_handler_count;

int at_quick_exit(void (*handler)(void)) {
    if (__brownout_quick_handler_count == HANDLERS)
        return -1;
    __brownout_quick_handlers[__brownout_quick_handler_count++] = handler;
    return 0;
}

_Noreturn void quick_exit(int status) {
    while (__brownout_quick_handler_count > 0)
        __brownout_quick_handlers[--__brownout_quick_handler_count]();
    __brownout_exit(status);
}
