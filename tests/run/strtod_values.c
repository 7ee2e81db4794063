//! strtod and strtof: correctly rounded decimal and hexadecimal input, inf, nan and end pointers.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

int main(void) {
    static const char *const in[] = {"0", "-0", "1", "0.1", "3.141592653589793238462643", "1e10", "1E-10", "123456789.123456789", "2.2250738585072014e-308", "4.9e-324", "1e-400", "1.7976931348623157e308", "1e309", "-1e999", "9007199254740993", "0.000000000000000000000000000001", "1.5e", "1.5e+", "..5", ".", "-.5", "+5.e1", "0x1p10", "0x.8", "0x1.999999999999ap-4", "0x", "inf", "-Infinity", "infin", "nan", "1_000", "  7.25  ", "1e0000000010", "00012.50"};
    for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
        char *e;
        double d = strtod(in[i], &e);
        if (d != d) printf("%s -> nan", in[i]); else printf("%s -> %.17g %d", in[i], d, signbit(d) != 0);
        printf(" +%d\n", (int)(e - in[i]));
    }
    printf("%.9g %.9g %.9g\n", (double)strtof("0.1", 0), (double)strtof("16777217", 0), (double)strtof("3.4028236e38", 0));
    printf("%.17g\n", strtod("8.98846567431157953864652595394512366808988489471153286367150405788663379027504815663542386612037680105600569399356966788293948844072083112464237153197370621888839467124327426381511098006230470597265414760425028844190753411712314407369565552704136181016e+307", 0));
    char *p = "1.5 -2.25e1 abc";
    double s = 0;
    for (char *e;; p = e) { double d = strtod(p, &e); if (e == p) break; s += d; }
    printf("%g %s\n", s, p);
    return 0;
}
