//! printf of strings and characters, sprintf, snprintf truncation and return values.
#include <stdio.h>
#include <string.h>
int main(void) {
    static const char *const s[] = {"", "a", "hello", "longer text"};
    for (int i = 0; i < 4; i++) printf("[%s][%8s][%-8s][%.2s][%6.3s]\n", s[i], s[i], s[i], s[i], s[i]);
    char b[12];
    for (int n = 1; n < 12; n += 2) {
        int r = snprintf(b, (size_t)n, "%d:%s", 77, "sixteen");
        printf("%d %d %s\n", n, r, b);
    }
    int r = sprintf(b, "%c%c%c", 'a', 'b', 'c'); printf("%d %s %d\n", r, b, (int)strlen(b));
    int n1 = 0;
    printf("count%n\n", &n1);
    printf("%d\n", n1);
    printf("%d\n", printf("ret\n"));
    puts("puts");
    putchar('c');
    putchar('\n');
    fputs("fputs\n", stdout);
    char *p = b;
    for (int i = 0; i < 4; i++) p += sprintf(p, "%d", i);
    printf("%s\n", b);
    printf("%s%s%s\n", "a" "b", "c", "d");
    return 0;
}
