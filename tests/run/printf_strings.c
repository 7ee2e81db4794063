//! printf %s with width, precision and flags, %c, %n, %p of NULL, and return values.
#include <stdio.h>
#include <string.h>

int main(void) {
    static const char *const s[] = {"", "a", "hello", "a longer string"};
    for (int i = 0; i < 4; i++) printf("[%s][%8s][%-8s][%.3s][%8.2s][%-8.4s][%.0s][%*s][%.*s]\n", s[i], s[i], s[i], s[i], s[i], s[i], s[i], i * 3, s[i], i, s[i]);
    char raw[4] = {'n', 'o', 'n', 'z'}; printf("%.4s|%.2s\n", raw, raw);
    int a = -1, b = -1;
    long c = -1;
    signed char hh = -1;
    printf("12345%n678%n %ln%hhn\n", &a, &b, &c, &hh);
    printf("%d %d %ld %d\n", a, b, c, hh);
    printf("%d\n", printf("count me\n")); printf("%d %d\n", printf("%s", ""), printf("%5d\n", 1) * 0);
    printf("[%p] [%10p] [%-10p]\n", (void *)0, (void *)0, (void *)0);
    printf("%s%c%s", "x", 'y', "z\n");
    printf("%c|%c\n", 65, '0' + 7);
    putchar('p');
    putchar('\n');
    puts("puts line");
    fputs("fputs line\n", stdout);
    fputc('c', stdout);
    fwrite("write\n", 1, 6, stdout);
    fprintf(stdout, "%-6s|\n", "fp");
    char buf[8] = "abc\0def";
    printf("%s %d\n", buf, (int)fwrite(buf, 1, 3, stdout));
    printf("\n%ls|%.2ls\n", L"wide", L"cut");
    printf("no args\n"); printf("tab\tend\\ \"q\" \x41\n");
    return printf("bye\n");
}
