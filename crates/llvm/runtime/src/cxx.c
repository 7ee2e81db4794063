/* What C++ without exceptions asks for: operators new and delete, functions that are virtual and
 * pure, the ends of static objects.  Names are those of the Itanium ABI; sizes are `unsigned int`
 * (j) on small targets and `unsigned long` (m) on others. */

#include "machine.h"
#include <stdlib.h>

static void *allocate(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p)
        __brownout_abort();
    return p;
}

void *_Znwj(size_t size) { return allocate(size); }
void *_Znaj(size_t size) { return allocate(size); }
void *_Znwm(size_t size) { return allocate(size); }
void *_Znam(size_t size) { return allocate(size); }
void _ZdlPv(void *p) { free(p); }
void _ZdaPv(void *p) { free(p); }
void _ZdlPvj(void *p, size_t size) { (void)size; free(p); }
void _ZdaPvj(void *p, size_t size) { (void)size; free(p); }
void _ZdlPvm(void *p, size_t size) { (void)size; free(p); }
void _ZdaPvm(void *p, size_t size) { (void)size; free(p); }

_Noreturn void __cxa_pure_virtual(void) { __brownout_abort(); }
_Noreturn void __cxa_deleted_virtual(void) { __brownout_abort(); }
_Noreturn void _ZSt9terminatev(void) { __brownout_abort(); }
