/* asprintf.c: formatted text that is allocated. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vasprintf(char **restrict s, const char *restrict format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *s = length < 0 ? NULL : malloc((size_t)length + 1);
    return *s ? vsnprintf(*s, (size_t)length + 1, format, args) : -1;
}

int asprintf(char **restrict s, const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int result = vasprintf(s, format, args);
    va_end(args);
    return result;
}
