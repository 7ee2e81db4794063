//! strtol and strtoul in bases 0 and 2 to 36 with end pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void t(const char *s, int base) {
    char *e;
    long v = strtol(s, &e, base);
    printf("%s|%d: %ld +%d", s, base, v, (int)(e - s));
    unsigned long u = strtoul(s, &e, base);
    printf(" %lx +%d\n", u, (int)(e - s));
}
static char *render(unsigned long v, int base, char *buf) {
    char tmp[70];
    int n = 0;
    do tmp[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[v % (unsigned)base]; while (v /= (unsigned)base);
    for (int i = 0; i < n; i++) buf[i] = tmp[n - 1 - i];
    buf[n] = 0;
    return buf;
}

int main(void) {
    t("0", 10);
    t("123", 10);
    t("-123", 10);
    t("+99", 10);
    t("  \t77", 10);
    t("12ab", 10);
    t("xyz", 10);
    t("", 10);
    t("-", 10);
    t("0x1F", 0);
    t("0X1f", 16);
    t("1f", 16);
    t("0x", 16);
    t("0xg", 0);
    t("017", 0);
    t("08", 0);
    t("17", 8);
    t("19", 8);
    t("0", 0);
    t("-0x10", 0);
    t("1011", 2); t("102", 2); t("zz", 36); t("Zz9", 36); t("hello", 30); t("777", 7); t("0b11", 0 + 10);
    t("9223372036854775807", 10); t("-9223372036854775808", 10); t("7fffffffffffffff", 16);
    char buf[70];
    int bad = 0;
    for (int b = 2; b <= 36; b++) for (unsigned long v = 1; v < 1ul << 60; v = v * 37 + 5) {
        char *e;
        render(v, b, buf);
        bad += strtoul(buf, &e, b) != v || *e;
    }
    printf("%d\n", bad);
    printf("%lu\n", strtoul("18446744073709551615", 0, 10)); printf("%s\n", render(255, 2, buf));
    const char *list = "10, 20 ,0x30,-4";
    char *p = (char *)list;
    long sum = 0;
    while (*p) { char *e; long v = strtol(p, &e, 0); if (e == p) { p++; continue; } sum += v; p = e; }
    printf("%ld\n", sum);
    return (int)strtol("101", 0, 2);
}
