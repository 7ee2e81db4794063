//! Variadic pointers, function pointers, nested variadic calls and a miniature printf.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static void mini(const char *f, ...) {
    va_list ap; va_start(ap, f);
    for (; *f; f++) {
        if (*f != '%') { putchar(*f); continue; }
        switch (*++f) {
        case 'd': {
            int v = va_arg(ap, int);
            char b[12];
            int i = 0;
            unsigned u = v < 0 ? 0u - (unsigned)v : (unsigned)v;
            if (v < 0) putchar('-');
            do b[i++] = (char)('0' + u % 10); while (u /= 10); while (i) putchar(b[--i]);
            break;
        }
        case 's': fputs(va_arg(ap, char *), stdout); break;
        case 'c': putchar(va_arg(ap, int)); break;
        case 'b': {
            unsigned u = va_arg(ap, unsigned);
            for (int i = 7; i >= 0; i--) putchar('0' + (u >> i & 1));
            break;
        }
        case 'n': *va_arg(ap, int *) += 1; break;
        case 'F': { void (*fn)(const char *) = va_arg(ap, void (*)(const char *)); fn(va_arg(ap, const char *)); break; }
        case '%': putchar('%'); break;
        }
    }
    va_end(ap);
}
static void shout(const char *s) { while (*s) putchar(*s >= 'a' && *s <= 'z' ? *s++ - 32 : *s++); }
static int joined(char *out, ...) {
    va_list ap;
    va_start(ap, out);
    *out = 0;
    int n = 0;
    for (const char *s; (s = va_arg(ap, const char *)); n++) { if (n) strcat(out, "/"); strcat(out, s); }
    va_end(ap);
    return n;
}
static int pick(int i, ...) {
    va_list ap;
    va_start(ap, i);
    int v;
    do v = va_arg(ap, int); while (i--);
    va_end(ap);
    return v;
}
static void store(int n, ...) {
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) *va_arg(ap, long *) = i * 11;
    va_end(ap);
}

int main(void) {
    int n = 0; mini("%d %s%c %b %%%n\n", -2147483647 - 1, "ok", '!', 0xa5u, &n); mini("%F%n\n", shout, "callback", &n);
    printf("%d\n", n);
    char path[64];
    printf("%d %s\n", joined(path, "usr", "lib", "x", (char *)0), path);
    printf("%d <%s>\n", joined(path, (char *)0), path);
    printf("%d %d\n", pick(0, 5, 6, 7), pick(pick(1, 0, 2, 1), pick(0, 9), 8, pick(2, 1, 2, 3)));
    long a, b, c; store(3, &a, &b, &c); printf("%ld %ld %ld\n", a, b, c);
    return pick(2, 1, 2, 33);
}
