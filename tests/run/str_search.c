//! strchr, strrchr, strstr, strpbrk, strspn, strcspn and memmem-like searches.
#include <stdio.h>
#include <string.h>

static int off(const char *base, const char *p) { return p ? (int)(p - base) : -1; }

int main(void) {
    const char *s = "hello, world of strings";
    printf("%d %d %d %d\n", off(s, strchr(s, 'o')), off(s, strrchr(s, 'o')), off(s, strchr(s, 'z')), off(s, strchr(s, 0)));
    printf("%d %d\n", off(s, strrchr(s, 0)), off(s, strrchr(s, 'h')));
    static const char *const nd[] = {"", "h", "hello", "world", "strings", "stringsx", "l", "lo,", " of ", "zzz", "s"};
    for (unsigned i = 0; i < sizeof nd / sizeof *nd; i++) printf("%d ", off(s, strstr(s, nd[i])));
    printf("\n%d %d %d\n", off("aaab", strstr("aaab", "aab")), strstr("", "") != 0, strstr("", "a") == 0);
    const char *t = "ababababac"; printf("%d %d\n", off(t, strstr(t, "ababac")), off(t, strstr(t, "bac")));
    printf("%d %d %d\n", off(s, strpbrk(s, "wxyz")), off(s, strpbrk(s, "")), off(s, strpbrk(s, "QZ,")));
    printf("%d %d %d %d\n", (int)strspn("112233abc", "321"), (int)strspn("abc", ""), (int)strspn("", "abc"), (int)strspn("aaaa", "a"));
    printf("%d %d %d %d\n", (int)strcspn("key=value", "=:"), (int)strcspn("none", "xyz"), (int)strcspn("", "a"), (int)strcspn("abc", ""));
    int n = 0;
    for (const char *p = "one fish two fish red fish"; (p = strstr(p, "fish")); p += 4) n++;
    printf("%d\n", n);
    char path[] = "/usr/local/lib/libx.so.1";
    char *base = strrchr(path, '/') + 1, *dot = strchr(base, '.');
    *dot = 0;
    printf("%s %s\n", base, dot + 1);
    char line[] = "  trim me \t";
    char *b = line + strspn(line, " \t");
    char *e = b + strlen(b);
    while (e > b && strchr(" \t", e[-1])) *--e = 0;
    printf("<%s>\n", b);
    printf("%d %d\n", off(s, strchr(s, 'l' + 256)), (unsigned char)*strchr("\x90\xa0", 0xa0));
    return n;
}
