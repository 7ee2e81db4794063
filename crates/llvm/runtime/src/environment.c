/* environment.c: the environment, which is empty at first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 16
static char *__brownout_environment[VARIABLES]; /* NAME=value, on the heap */

static char **find(const char *name) {
    size_t n = strlen(name);
    for (char **at = __brownout_environment; at < __brownout_environment + VARIABLES; at++)
        if (*at && !strncmp(*at, name, n) && (*at)[n] == '=')
            return at;
    return NULL;
}

char *getenv(const char *name) {
    char **found = find(name);
    return found ? *found + strlen(name) + 1 : NULL;
}

static int refuse(int error) {
    errno = error;
    return -1;
}

static int is_name(const char *name) { return name && *name && !strchr(name, '='); }

int unsetenv(const char *name) {
    if (!is_name(name))
        return refuse(EINVAL);
    char **found = find(name);
    if (found) {
        free(*found);
        *found = NULL;
    }
    return 0;
}

int setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name))
        return refuse(EINVAL);
    if (find(name) && !overwrite)
        return 0;
    char *text = malloc(strlen(name) + strlen(value) + 2);
    if (!text)
        return refuse(ENOMEM);
    strcat(strcat(strcpy(text, name), "="), value);
    unsetenv(name);
    for (char **at = __brownout_environment; at < __brownout_environment + VARIABLES; at++)
        if (!*at) {
            *at = text;
            return 0;
        }
    free(text);
    return refuse(ENOMEM);
}
