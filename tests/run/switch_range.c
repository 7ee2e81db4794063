//! GNU case ranges, including negative and character ranges.
#include <stdio.h>
#include <limits.h>

static const char *grade(int s) {
    switch (s) {
    case INT_MIN ... -1: return "neg";
    case 0 ... 49: return "fail";
    case 50 ... 64: return "pass";
    case 65 ... 79: return "credit";
    case 80 ... 100: return "high";
    default: return "over";
    }
}
static int kind(unsigned char c) {
    switch (c) {
    case 'a' ... 'z': return 'l';
    case 'A' ... 'Z': return 'u';
    case '0' ... '9': return 'd';
    case 0 ... 31: case 127: return 'c';
    case 128 ... 255: return 'h';
    }
    return 'p';
}
static int big(long long v) {
    switch (v) {
        case -5000000000ll ... -1: return -1;
        case 0: return 0;
        case 1 ... 5000000000ll: return 1;
        case 9000000000000ll ... LLONG_MAX: return 2;
    }
    return 99;
}

int main(void) {
    static const int s[] = {INT_MIN, -1, 0, 49, 50, 64, 65, 79, 80, 100, 101, INT_MAX};
    for (int i = 0; i < 12; i++) printf("%d %s\n", s[i], grade(s[i]));
    int n[128] = {0}; for (int c = 0; c < 256; c++) n[kind((unsigned char)c)]++;
    for (int c = 0; c < 128; c++) if (n[c]) printf("%c=%d ", c, n[c]);
    printf("\n");
    static const long long b[] = {LLONG_MIN, -5000000001ll, -5000000000ll, -1, 0, 1, 5000000000ll, 5000000001ll, 9000000000000ll, LLONG_MAX};
    for (int i = 0; i < 10; i++) printf("%d ", big(b[i]));
    printf("\n");
    return n['p'];
}
