/* Interrupts and sleep.  The machine calls __brownout_handle between two instructions of the program,
 * or tells which handlers come while the program sleeps; who may be interrupted is written here.
 *
 * The status has two bits that matter, those of the MSP430: interrupts are enabled, and the processor
 * sleeps.  An interrupt clears both and puts them back afterwards, as the handler left them for then. */
#include "machine.h"

#define ENABLED 8u
#define ASLEEP 16u

#if defined(__arm__)
unsigned short __brownout_status = ENABLED;
#else
unsigned short __brownout_status;
#endif
unsigned short __brownout_status_on_exit;
/* How urgent what is executed is, as the handler that runs says: whoever interrupts it is more so, and
 * all handlers are more urgent than the main program. */
#define MAIN 255
unsigned char __brownout_level = MAIN;
/* Handlers that came while interrupts were disabled. */
unsigned long long __brownout_pending;

void __brownout_handle(unsigned long long handlers) {
    for (; handlers; handlers >>= 8) {
        unsigned short outer = __brownout_status_on_exit;
        unsigned char level = __brownout_level;
        __brownout_status_on_exit = __brownout_status;
        /* A Cortex-M goes on with interrupts enabled, for those that are more urgent. */
#if !defined(__arm__)
        __brownout_status = 0;
#endif
        __brownout_handler((unsigned char)handlers);
        __brownout_level = level;
        __brownout_status = __brownout_status_on_exit;
        __brownout_status_on_exit = outer;
    }
}

/* Until a handler wakes the processor for the time after it. */
__attribute__((noinline)) void __brownout_sleep(void) {
    while (__brownout_status & ASLEEP) {
        if (__brownout_status & ENABLED) {
            unsigned long long handlers = __brownout_await_interrupt();
            if (!handlers) {
                /* Nothing can wake it: it goes on as if something had. */
                __brownout_status &= (unsigned short)~ASLEEP;
            }
            __brownout_handle(handlers);
        }
    }
}

void __brownout_set_status(unsigned short bits) {
    __brownout_status |= bits;
#if !defined(__arm__)
    /* A handler that enables interrupts is open to all of them. */
    if (bits & ENABLED) {
        __brownout_level = MAIN;
    }
#endif
    if ((bits & ENABLED) && __brownout_pending) {
        unsigned long long pending = __brownout_pending;
        __brownout_pending = 0;
        __brownout_handle(pending);
    }
    if (bits & ASLEEP) {
        __brownout_sleep();
    }
}

void __brownout_clear_status(unsigned short bits) {
    __brownout_status &= (unsigned short)~bits;
}

void __brownout_enable(void) {
    __brownout_set_status(ENABLED);
}

void __brownout_disable(void) {
    __brownout_clear_status(ENABLED);
}

/* Processors that any interrupt wakes: the handler runs when interrupts are enabled. */
void __brownout_wait(void) {
    unsigned long long handlers = __brownout_await_interrupt();
    if (__brownout_status & ENABLED) {
        __brownout_handle(handlers);
    } else {
        __brownout_pending = handlers;
    }
}

/* The mask of a Cortex-M, for programs that bring their own intrinsics. */
unsigned __brownout_mask(void) {
    return (__brownout_status & ENABLED) ? 0 : 1;
}

void __brownout_set_mask(unsigned mask) {
    if (mask & 1u) {
        __brownout_disable();
    } else {
        __brownout_enable();
    }
}
