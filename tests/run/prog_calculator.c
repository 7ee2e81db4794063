//! A tokeniser and precedence-climbing calculator with variables and errors.
#include <stdio.h>
#include <ctype.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
struct tok { int kind; double num; char name[8]; };
static const char *src;
static struct tok cur;
static double vars[26];
static const char *err;
static void next(void) {
    while (isspace((unsigned char)*src)) src++;
    if (!*src) { cur.kind = 0; return; }
    if (isdigit((unsigned char)*src) || *src == '.') {
        char *e;
        cur.num = strtod(src, &e);
        src = e;
        cur.kind = 'n';
        return;
    }
    if (isalpha((unsigned char)*src)) {
        int n = 0;
        while (isalnum((unsigned char)*src)) { if (n < 7) cur.name[n++] = *src; src++; }
        cur.name[n] = 0;
        cur.kind = 'i';
        return;
    }
    cur.kind = *src++;
}
static double expr(int min);
static double prim(void) {
    struct tok t = cur;
    next();
    switch (t.kind) {
        case 'n': return t.num;
        case '-': return -expr(5);
        case '(': { double v = expr(0); if (cur.kind != ')') err = "expected )"; else next(); return v; }
        case 'i': if (cur.kind == '(') {
            next();
            double v = expr(0);
            if (cur.kind == ')') next(); else err = "expected )";
            if (!strcmp(t.name, "sqrt")) return sqrt(v);
            if (!strcmp(t.name, "abs")) return fabs(v);
            err = "unknown function";
            return 0;
        }
        if (cur.kind == '=') { next(); return vars[t.name[0] - 'a'] = expr(0); }
        return vars[t.name[0] - 'a'];
    }
    err = "unexpected token";
    return 0;
}
static int prec(int k) { return k == '+' || k == '-' ? 1 : k == '*' || k == '/' || k == '%' ? 2 : k == '^' ? 6 : 0; }
static double expr(int min) {
    double l = prim();
    while (!err && prec(cur.kind) > min) {
        int k = cur.kind, p = prec(k);
        next();
        double r = expr(k == '^' ? p - 1 : p);
        switch (k) {
            case '+': l += r;
            break;
            case '-': l -= r;
            break;
            case '*': l *= r;
            break;
            case '/': if (r == 0) err = "division by zero"; else l /= r;
            break;
            case '%': l = fmod(l, r);
            break;
            case '^': l = pow(l, r);
            break;
        }
    }
    return l;
}
static int calc(const char *s) {
    src = s;
    err = 0;
    next();
    double v = expr(0);
    if (!err && cur.kind) err = "trailing input";
    if (err) { printf("%s: error %s\n", s, err); return 1; }
    printf("%s = %.10g\n", s, v);
    return 0;
}
int main(void) {
    static const char *const t[] = {"1+2*3", "(1+2)*3", "2^3^2", "-2^2", "10/4-1", "x=5", "x*x+1", "y = x = 3", "x+y", "7%4", "sqrt(16)+abs(-3)", "1/0", "2*(3+4", "3 4", "foo(1)", "*", "1.5e2/3", "((((1))))", "8-3-2", "100/10/2"};
    int bad = 0;
    for (int i = 0; i < 20; i++) bad += calc(t[i]);
    return bad;
}
