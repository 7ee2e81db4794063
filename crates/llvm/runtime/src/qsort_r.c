/* qsort_r.c: sorting by an order that is told something more. */
#include <stdlib.h>

#define ORDER int (*compare)(const void *, const void *, void *), void *context
#define COMPARE(a, b) compare(a, b, context)
#define CONTEXT compare, context
#include "sort.h"

void qsort_r(void *array, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *context) {
    if (size)
        sort(array, count, size, compare, context);
}
