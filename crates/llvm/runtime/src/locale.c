/* locale.c: the C locale.  Every other one is refused, as C lets a library do. */
#include <limits.h>
#include <locale.h>
#include <string.h>

static char __brownout_locale_name[] = "C";

char *setlocale(int category, const char *name) {
    if (category < LC_CTYPE || category > 12) /* Linux has twelve categories, and LC_ALL among them */
        return NULL;
    if (name && *name && strcmp(name, "C") && strcmp(name, "POSIX"))
        return NULL;
    return __brownout_locale_name;
}

struct lconv *localeconv(void) {
    static char none[] = "", point[] = ".";
    static struct lconv __brownout_lconv = {
        point, none, none, none, none, none, none, none, none, none,
        CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
        CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX};
    return &__brownout_lconv;
}
