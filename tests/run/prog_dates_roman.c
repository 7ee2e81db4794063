//! Calendar arithmetic, weekday, leap years, roman numerals, Morse and number words.
#include <stdio.h>
#include <string.h>
static int leap(int y) { return (y % 4 == 0 && y % 100) || y % 400 == 0; }
static long days(int y, int m, int d) {
    y -= m <= 2;
    long era = (y >= 0 ? y : y - 399) / 400;
    unsigned yoe = (unsigned)(y - era * 400), doy = (unsigned)((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1), doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + (long)doe - 719468;
}
static void civil(long z, int *y, int *m, int *d) {
    z += 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097;
    unsigned doe = (unsigned)(z - era * 146097), yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    *d = (int)(doy - (153 * mp + 2) / 5 + 1);
    *m = (int)(mp < 10 ? mp + 3 : mp - 9);
    *y = (int)(yoe + (unsigned long)0) + (int)era * 400 + (*m <= 2);
}
static void roman(int n, char *o) {
    static const struct {
        int v;
        const char *s;
    } t[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
    *o = 0;
    for (int i = 0; i < 13; i++) while (n >= t[i].v) { strcat(o, t[i].s); n -= t[i].v; }
}
static int unroman(const char *s) {
    int t = 0, last = 0;
    for (const char *e = s + strlen(s); e-- > s;) {
        int v = *e == 'M' ? 1000 : *e == 'D' ? 500 : *e == 'C' ? 100 : *e == 'L' ? 50 : *e == 'X' ? 10 : *e == 'V' ? 5 : 1;
        t += v < last ? -v : v;
        if (v > last) last = v;
    }
    return t;
}
static void words(int n) {
    static const char *const a[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}, *const b[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    if (n < 0) { printf("minus "); n = -n; }
    if (n >= 1000) { words(n / 1000); printf(" thousand"); if (n %= 1000) printf(" "); else return; }
    if (n >= 100) { printf("%s hundred", a[n / 100]); if (n %= 100) printf(" and "); else return; }
    if (n >= 20) { printf("%s", b[n / 10]); if (n %= 10) printf("-%s", a[n]); } else printf("%s", a[n]);
}
int main(void) {
    static const int ys[] = {1900, 2000, 2023, 2024, 1600};
    for (int i = 0; i < 5; i++) printf("%d ", leap(ys[i]));
    printf("%ld %ld %ld\n", days(1970, 1, 1), days(2000, 2, 29), days(1601, 1, 1));
    int bad = 0;
    for (long z = -200000; z < 200000; z += 997) { int y, m, d; civil(z, &y, &m, &d); bad += days(y, m, d) != z; }
    printf("%d\n", bad);
    static const char *const wd[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    printf("%s %s\n", wd[days(2000, 1, 1) % 7], wd[days(2038, 1, 19) % 7]);
    char r[32];
    for (int n = 1; n < 4000; n = n * 3 + 1) { roman(n, r); printf("%d=%s=%d ", n, r, unroman(r)); }
    printf("\n");
    static const int w[] = {0, 7, 13, 40, 99, 100, 215, 1000, 12345, -990017};
    for (int i = 0; i < 10; i++) { words(w[i]); printf("\n"); }
    return bad;
}
