/* assert.c: failed assertions, and where errno is kept. */
#include <assert.h>
#include <errno.h>

#include "machine.h"

_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                             const char *function) {
    __brownout_assert_fail(expression, file, (int)line, function);
}

static int __brownout_errno;

int *__errno_location(void) { return &__brownout_errno; }
