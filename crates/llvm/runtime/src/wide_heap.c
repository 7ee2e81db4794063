/* wide_heap.c: wide strings that are allocated, apart from those that need no heap. */
#include <stdlib.h>
#include <wchar.h>

wchar_t *wcsdup(const wchar_t *s) {
    size_t n = wcslen(s) + 1;
    wchar_t *copy = malloc(n * sizeof *copy);
    return copy ? wmemcpy(copy, s, n) : NULL;
}
