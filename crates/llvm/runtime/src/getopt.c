/* getopt.c: options of a command line, letter by letter, up to the first argument that is none. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *optarg;
int optind = 1, opterr = 1, optopt;

static int complain(const char *program, const char *what) {
    if (opterr)
        fprintf(stderr, "%s: %s -- '%c'\n", program, what, optopt);
    return '?';
}

int getopt(int argc, char *const argv[], const char *options) {
    static const char *__brownout_getopt_rest; /* of an argument with several letters */
    static int __brownout_getopt_index;
    if (optind == 0 || __brownout_getopt_index != optind) { /* the program starts again */
        __brownout_getopt_rest = NULL;
        if (optind == 0)
            optind = 1;
    }
    if (!__brownout_getopt_rest || !*__brownout_getopt_rest) {
        const char *word = optind < argc ? argv[optind] : NULL;
        if (!word || word[0] != '-' || !word[1])
            return -1;
        if (!strcmp(word, "--")) {
            optind++;
            return -1;
        }
        __brownout_getopt_rest = word + 1;
    }
    const char *rest = __brownout_getopt_rest;
    optopt = *rest++;
    const char *known = optopt == ':' ? NULL : strchr(options, optopt);
    bool takes = known && known[1] == ':', last = !*rest;
    __brownout_getopt_rest = rest;
    optarg = NULL;
    if (takes && !last) {
        optarg = (char *)rest;
        last = true;
    } else if (takes && known[2] != ':' && optind + 1 < argc) {
        optarg = argv[++optind];
    } else if (takes && known[2] != ':') {
        __brownout_getopt_index = ++optind;
        __brownout_getopt_rest = NULL;
        return *options == ':' ? ':' : complain(argv[0], "option requires an argument");
    }
    if (last) {
        optind++;
        __brownout_getopt_rest = NULL;
    }
    __brownout_getopt_index = optind;
    return known ? optopt : *options == ':' ? '?' : complain(argv[0], "invalid option");
}
