//! A tiny pattern matcher and a JSON-like parser that prints a canonical form.
#include <stdio.h>
#include <string.h>
#include <ctype.h>
static int here(const char *r, const char *t);
static int star(int c, const char *r, const char *t) {
    do if (here(r, t)) return 1; while (*t && (*t++ == c || c == '.'));
    return 0;
}
static int here(const char *r, const char *t) {
    if (!*r) return 1;
    if (r[1] == '*') return star(*r, r + 2, t);
    if (*r == '$' && !r[1]) return !*t;
    if (*t && (*r == '.' || *r == *t)) return here(r + 1, t + 1);
    return 0;
}
static int match(const char *r, const char *t) {
    if (*r == '^') return here(r + 1, t);
    do if (here(r, t)) return 1; while (*t++);
    return 0;
}
static const char *p; static int depth, maxd, nodes; static void ws(void) { while (isspace((unsigned char)*p)) p++; }
static int value(void) {
    nodes++;
    ws();
    if (*p == '{' || *p == '[') {
        char close = *p == '{' ? '}' : ']';
        int obj = *p == '{', first = 1;
        putchar(*p++);
        if (++depth > maxd) maxd = depth;
        for (;;) {
            ws();
            if (*p == close) { putchar(*p++); depth--; return 1; }
            if (!first) { if (*p != ',') return 0; p++; putchar(','); }
            first = 0;
            if (obj) { if (!value()) return 0; ws(); if (*p++ != ':') return 0; putchar(':'); }
            if (!value()) return 0;
        }
    } if (*p == '"') { do { if (*p == '\\') putchar(*p++); putchar(*p++); } while (*p && *p != '"'); putchar(*p); return *p++ == '"'; } if (*p == '-' || isdigit((unsigned char)*p)) { while (*p && strchr("+-.eE0123456789", *p)) putchar(*p++); return 1; } static const char *const kw[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(kw[i]);
        if (!strncmp(p, kw[i], n)) { fputs(kw[i], stdout); p += n; return 1; }
    }
    return 0;
}
static int parse(const char *s) {
    p = s;
    depth = maxd = nodes = 0;
    int ok = value();
    ws();
    ok = ok && !*p;
    printf("  ok=%d depth=%d nodes=%d\n", ok, maxd, nodes);
    return ok;
}
int main(void) {
    static const char *const r[] = {"abc", "^abc", "abc$", "a.c", "a*b", "^a*$", "x.*y", ".*", "^$", "b*c$"}, *const t[] = {"abc", "xabc", "abcx", "aaab", "", "xzzzy", "ac"};
    for (int i = 0; i < 10; i++) { for (int j = 0; j < 7; j++) printf("%d", match(r[i], t[j])); printf(" %s\n", r[i]); }
    int n = parse("{ \"a\" : [1, 2.5, -3e4, {\"b\":null}], \"c\": true }");
    n += parse("[]");
    n += parse("[[[ \"q\\\"uote\" ]]]");
    n += parse("[1 2]");
    n += parse("{\"x\":}");
    n += parse("false");
    return n;
}
