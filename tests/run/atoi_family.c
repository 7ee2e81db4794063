//! atoi, atol, atoll and atof on well-formed, padded and partial input.
#include <stdio.h>
#include <stdlib.h>

static int parse_int(const char *s, int *out) {
    int neg = *s == '-';
    long v = 0;
    if (*s == '-' || *s == '+') s++;
    if (!*s) return 0;
    for (; *s; s++) { if (*s < '0' || *s > '9') return 0; v = v * 10 + (*s - '0'); if (v > 2147483648L) return 0; }
    if (neg) v = -v;
    if (v > 2147483647L) return 0;
    *out = (int)v;
    return 1;
}

int main(void) {
    static const char *const in[] = {"0", "42", "-42", "+7", "   13", "\t\n 5x", "12abc", "abc", "", "-", "2147483647", "-2147483648", "007", "0x1f", "1e3", "- 5", "99 88"};
    for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
        int v = -1, ok = parse_int(in[i], &v);
        printf("%d %ld %lld | %d %d\n", atoi(in[i]), atol(in[i]), atoll(in[i]), ok, v);
    }
    printf("%ld %lld %lld\n", atol("-9000000000"), atoll("9223372036854775807"), atoll("-9223372036854775808"));
    static const char *const fl[] = {"3.14", "-0.5e2", "1e-3xyz", ".5", "5.", "  2.5", "nope", "", "+1.25", "1e", "0x1.8p1", "123456789012345678"};
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++) printf("%.10g ", atof(fl[i]));
    printf("\n");
    return atoi("77");
}
