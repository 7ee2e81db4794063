//! sprintf and snprintf: truncation, terminators, return values, zero size and NULL buffers.
//@ flags: -Wno-format-truncation
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16];
    for (int n = 1; n <= 14; n++) {
        memset(b, '#', sizeof b);
        b[15] = 0;
        int r = snprintf(b, (size_t)n, "%d-%s", 1234, "wxyz");
        printf("%d %d [%s] %c\n", n, r, b, n < 15 ? b[n] : ' ');
    }
    memset(b, '#', 15);
    int r = snprintf(b, 0, "abc");
    printf("%d %c\n", r, b[0]);
    printf("%d\n", snprintf(NULL, 0, "%050d|%s", 7, "tail"));
    char big[200]; r = sprintf(big, "%s %5.2f %c %#x %-6d|", "mix", 3.14159, 'q', 255, 42); printf("%d %s\n", r, big);
    char *p = big;
    for (int i = 0; i < 10; i++) p += sprintf(p, "%d%s", i * i, i < 9 ? "," : "");
    printf("%s %d\n", big, (int)(p - big));
    r = snprintf(b, sizeof b, "%s", "");
    printf("%d <%s>\n", r, b);
    r = snprintf(b, 5, "%f", 123456.789);
    printf("%d <%s>\n", r, b);
    r = snprintf(b, 6, "%-20s|", "ab");
    printf("%d <%s>\n", r, b);
    r = snprintf(b, 4, "%x", 0xabcdefu);
    printf("%d <%s>\n", r, b);
    int at = 0; snprintf(b, 4, "123456%n7", &at); printf("%d <%s>\n", at, b); return (int)strlen(big);
}
