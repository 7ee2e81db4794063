//! strcmp, strncmp, strcoll, strcasecmp and their signs over many pairs.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sg(int v) { return (v > 0) - (v < 0); }
static const char *const w[] = {"", "a", "A", "ab", "abc", "abd", "b", "aB", "abcdefghijklmnop", "abcdefghijklmnoq", "\x7f", "\x80", "\xff", "zz"};

int main(void) {
    int n = (int)(sizeof w / sizeof *w);
    for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) printf("%2d", sg(strcmp(w[i], w[j]))); printf("\n"); }
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < n; i++) printf("%2d", sg(strncmp(w[i], "abcx", (size_t)k)));
        printf("\n");
    }
    for (int i = 0; i < n - 4; i++) printf("%2d", sg(strcasecmp(w[i], "AB"))); printf("\n");
    for (int i = 0; i < n - 4; i++) printf("%2d", sg(strncasecmp(w[i], "ABx", 2))); printf("\n");
    printf("%d %d %d\n", sg(strcoll("abc", "abd")), sg(strcoll("b", "a")), strcoll("same", "same"));
    printf("%d %d\n", sg(strcmp("prefix", "prefixes")), sg(strncmp("prefix", "prefixes", 6)));
    char a[40], b[40]; int diffs = 0;
    for (int len = 0; len < 36; len++) for (int at = 0; at < len; at++) {
        memset(a, 'm', (size_t)len);
        a[len] = 0;
        strcpy(b, a);
        b[at]++;
        diffs += sg(strcmp(a, b)) + 2 * sg(strcmp(b, a)) + 4 * sg(strncmp(a, b, (size_t)at)) + 8 * sg(memcmp(a, b, (size_t)at + 1));
    }
    printf("%d\n", diffs);
    return sg(strcmp("b", "a"));
}
