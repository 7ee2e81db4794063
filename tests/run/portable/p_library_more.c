//! Random numbers of drand48, variables of the environment, options, allocated text, the quick end.
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void last(void) {
    puts("last");
    fflush(stdout);
}
static void first(void) { puts("first"); }
static void never(void) { puts("never"); }

int main(void) {
    srand48(2026);
    for (int i = 0; i < 3; i++)
        printf("%.15f %" PRId32 " %" PRId32 "\n", drand48(), (int32_t)lrand48(), (int32_t)mrand48());
    unsigned short mine[3] = {1, 2, 3};
    printf("%" PRId32 " %.12f\n", (int32_t)nrand48(mine), erand48(mine));

    printf("%d\n", getenv("BROWNOUT_NO_SUCH_VARIABLE") == NULL);
    printf("%d %s\n", setenv("COLOUR", "red", 1), getenv("COLOUR"));
    printf("%d %s\n", setenv("COLOUR", "blue", 0), getenv("COLOUR"));
    printf("%d %s\n", setenv("COLOUR", "green", 1), getenv("COLOUR"));
    printf("%d %d\n", unsetenv("COLOUR"), getenv("COLOUR") == NULL);
    printf("%d %d\n", setenv("A=B", "x", 1), errno == EINVAL);

    char *arguments[] = {"program", "-ab", "-o", "file", "-pword", "--", "rest", NULL};
    int option;
    while ((option = getopt(7, arguments, "abo:p:")) != -1)
        printf("-%c %s\n", option, optarg ? optarg : "");
    printf("%d %s\n", optind, arguments[optind]);

    char *text;
    printf("%d ", asprintf(&text, "%s %d", "allocated", 17));
    printf("%s\n", text);
    free(text);
    char swapped[7] = "";
    swab("badcfe", swapped, 6);
    printf("%s %s %s\n", swapped, strsignal(11), strerror(ESPIPE));
    imaxdiv_t parts = imaxdiv(INTMAX_C(-100000000007), 10);
    printf("%" PRIdMAX " %" PRIdMAX " %" PRIdMAX "\n", parts.quot, parts.rem, strtoimax("-123456789012", NULL, 10));

    atexit(never);
    at_quick_exit(last);
    at_quick_exit(first);
    fflush(stdout);
    quick_exit(0);
}
