//! The functions of string.h on small buffers.
#include <stdio.h>
#include <string.h>
static int sg(int v) { return (v > 0) - (v < 0); }
int main(void) {
    char a[24], b[24];
    strcpy(a, "embedded");
    strcat(a, "-");
    strncat(a, "systems", 3);
    printf("%s %d\n", a, (int)strlen(a));
    memset(b, '#', sizeof b);
    strncpy(b, "ab", 5);
    printf("%s %d %c\n", b, b[4], b[5]);
    printf("%d %d %d %d\n", sg(strcmp("a", "b")), sg(strcmp("b", "a")), strcmp("x", "x"), sg(strncmp("abc", "abd", 2)));
    printf("%d %d\n", (int)(strchr(a, '-') - a), (int)(strrchr(a, 'd') - a));
    printf("%s %d\n", strstr(a, "ded"), strstr(a, "zz") == 0);
    printf("%d %d %s\n", (int)strspn("aabbc", "ab"), (int)strcspn("key=val", "="), strpbrk("one,two", ",;"));
    char t[] = "x=1;y=2;;z";
    for (char *p = strtok(t, ";"); p; p = strtok(0, ";")) printf("<%s>", p);
    printf("\n");
    memmove(a + 2, a, 6);
    printf("%s\n", a);
    memmove(a, a + 2, 6);
    printf("%s\n", a);
    memcpy(b, "12345", 6);
    printf("%s %d %d\n", b, sg(memcmp("abc", "abd", 3)), memcmp("ab", "ac", 1));
    printf("%d %d\n", (int)((char *)memchr(b, '4', 6) - b), memchr(b, 'q', 6) == 0);
    for (int n = 0; n < 12; n++) {
        char s[16], d[16];
        for (int i = 0; i < 16; i++) { s[i] = (char)('a' + i); d[i] = '.'; }
        memcpy(d + n % 4, s + n % 3, (size_t)n);
        printf("%.16s\n", d);
    }
    return 0;
}
