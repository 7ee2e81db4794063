//! abs, labs, llabs, div, ldiv and lldiv over sign combinations.
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

int main(void) {
    static const int v[] = {0, 1, -1, 7, -7, INT_MAX, -INT_MAX};
    for (int i = 0; i < 7; i++) printf("%d %ld %lld\n", abs(v[i]), labs(v[i] * 3L), llabs(v[i] * 5ll));
    static const int ds[] = {1, -1, 2, -2, 3, 10, -10, INT_MAX};
    for (int i = 0; i < 7; i++) for (int j = 0; j < 8; j++) {
        div_t d = div(v[i], ds[j]);
        ldiv_t l = ldiv(v[i] * 1000L, ds[j]);
        lldiv_t q = lldiv(v[i] * 100000ll, ds[j]);
        printf("%d,%d %ld,%ld %lld,%lld\n", d.quot, d.rem, l.quot, l.rem, q.quot, q.rem);
    }
    printf("%d %d\n", div(17, 5).quot, div(-17, 5).rem); printf("%lld %lld\n", llabs(-LLONG_MAX), llabs(LLONG_MIN + 1));
    div_t t = div(3725, 60); printf("%d:%02d\n", t.quot, t.rem);
    return abs(-19);
}
