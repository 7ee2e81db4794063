//! Constant lookup tables of many element types, including pointers into other tables.
#include <stdio.h>
#include <stdint.h>

static const uint8_t nib[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const int16_t sine[9] = {0, 50, 98, 142, 181, 212, 236, 251, 256};
static const double pow10s[] = {1e0, 1e1, 1e2, 1e3, 1e-4, 1e300};
static const float coef[2][3] = {{0.25f, 0.5f, 0.25f}, {-1, 0, 1}};
static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
static const char codes[][4] = {"AUD", "EUR", "GBP"};
static const int prime[] = {2, 3, 5, 7, 11, 13}; static const int *const into[] = {&prime[4], prime, prime + 2};
struct entry { const char *key; int val; const struct entry *alt; };
static const struct entry dict[] = {{"one", 1, 0}, {"uno", 1, &dict[0]}, {"deux", 2, 0}, {"two", 2, dict + 2}};
static const uint64_t wide[] = {0xffffffffffffffffull, 1ull << 40, 0};
static const char *const *const dd = days + 2;
static const long diff = sizeof days / sizeof *days * 100;

static int isin(int deg) {
    int s = 1;
    deg %= 360;
    if (deg < 0) deg += 360;
    if (deg >= 180) { deg -= 180; s = -1; }
    if (deg > 90) deg = 180 - deg;
    int i = deg * 8 / 90;
    return s * sine[i];
}

int main(void) {
    int pc = 0; for (unsigned i = 0; i < 256; i++) pc += nib[i & 15] + nib[i >> 4];
    printf("%d\n", pc);
    for (int d = -90; d <= 360; d += 45) printf("%d ", isin(d));
    printf("\n%g %g %g\n", pow10s[4], pow10s[5] * 10, (double)coef[1][0] * (double)coef[0][1]);
    for (int i = 0; i < 7; i++) printf("%c", days[i][i % 3]);
    printf(" %s %s\n", dd[1], codes[2]);
    printf("%d %d %d %d\n", *into[0], into[1][3], into[2][-1], (int)(into[0] - into[1]));
    for (int i = 0; i < 4; i++) printf("%s=%d%s ", dict[i].key, dict[i].val, dict[i].alt ? dict[i].alt->key : "");
    printf("\n%llx %llx %ld\n", (unsigned long long)wide[0], (unsigned long long)wide[1], diff);
    return codes[1][0];
}
