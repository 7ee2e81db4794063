/* environment.c: the environment, which is empty at first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 16
static char *__brownout_environment[VARIABLES + 1]; /* NAME=value, none after the last */
char **environ = __brownout_environment;

static char **find(const char *name) {
    size_t n = strcspn(name, "=");
    for (char **at = environ; at && *at; at++)
        if (!strncmp(*at, name, n) && (*at)[n] == '=')
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

/* Texts that setenv makes stay allocated: the program may have kept what getenv gave it. */

int unsetenv(const char *name) {
    if (!is_name(name))
        return refuse(EINVAL);
    for (char **found = find(name); found && *found; found++)
        *found = found[1];
    return 0;
}

int putenv(char *text) {
    if (!strchr(text, '='))
        return unsetenv(text);
    char **at = find(text);
    if (!at)
        for (at = environ; *at; at++) {}
    if (at == __brownout_environment + VARIABLES)
        return refuse(ENOMEM);
    *at = text;
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
    return putenv(strcat(strcat(strcpy(text, name), "="), value));
}
