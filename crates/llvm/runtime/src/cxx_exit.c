/* Destructors of static objects, which the compiler registers when they are constructed. */

#include "machine.h"
#include <stdlib.h>

void *__dso_handle;

#define OBJECTS 32
static struct { void (*destroy)(void *); void *object; } __brownout_objects[OBJECTS];
static int __brownout_object_count;

static void destroy_all(void) {
    while (__brownout_object_count > 0) {
        --__brownout_object_count;
        __brownout_objects[__brownout_object_count].destroy(
            __brownout_objects[__brownout_object_count].object);
    }
}

int __cxa_atexit(void (*destroy)(void *), void *object, void *handle) {
    (void)handle;
    if (__brownout_object_count == OBJECTS)
        return -1;
    if (__brownout_object_count == 0 && atexit(destroy_all) != 0)
        return -1;
    __brownout_objects[__brownout_object_count].destroy = destroy;
    __brownout_objects[__brownout_object_count++].object = object;
    return 0;
}
