//! strlen, strcpy, strncpy, strcat, strncat, strdup and friends.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static void dump(const char *p, int n) { for (int i = 0; i < n; i++) printf("%c", p[i] ? p[i] : '.'); printf("\n"); }

int main(void) {
    char b[20]; printf("%d %d %d\n", (int)strlen(""), (int)strlen("a"), (int)strlen("embedded\0zero"));
    for (int n = 0; n < 35; n += 2) { char s[40]; memset(s, 'k', (size_t)n); s[n] = 0; printf("%d ", (int)strlen(s)); }
    printf("\n");
    memset(b, '#', sizeof b); printf("%d ", strcpy(b, "copy") == b); dump(b, 20);
    memset(b, '#', sizeof b); strncpy(b, "short", 10); dump(b, 20);
    memset(b, '#', sizeof b); strncpy(b, "exactly", 7); dump(b, 20);
    memset(b, '#', sizeof b); strncpy(b, "truncated here", 5); dump(b, 20); strncpy(b, "x", 0); dump(b, 6);
    strcpy(b, "one");
    strcat(b, "");
    strcat(b, "+two");
    printf("%s\n", b);
    strncat(b, "+three", 3);
    printf("%s\n", b);
    strncat(b, "ab", 9);
    strncat(b, "zz", 0);
    printf("%s\n", b);
    char *d = strdup("duplicate me");
    d[0] = 'D';
    printf("%s\n", d);
    free(d);
    d = strndup("partial copy", 4);
    printf("%s\n", d);
    free(d);
    printf("%d %d\n", (int)strnlen("hello", 3), (int)strnlen("hi", 30));
    char joined[64] = "";
    const char *parts[] = {"a", "bb", "ccc", "dddd"};
    for (int i = 0; i < 4; i++) { if (i) strcat(joined, ", "); strcat(joined, parts[i]); }
    printf("%s %d\n", joined, (int)strlen(joined));
    char *e = stpcpy(b, "end"); printf("%d\n", (int)(e - b)); strcpy(e, "-more"); printf("%s\n", b);
    char same[] = "shift"; memmove(same, same + 1, strlen(same)); printf("%s\n", same);
    char x[32]; printf("%d ", (int)strxfrm(x, "xfrm", sizeof x)); printf("%s\n", x);
    return (int)strlen(joined);
}
