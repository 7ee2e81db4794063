//! Static locals, constant tables, enums, unions, globals and initialisers.
#include <stdio.h>
#include <stdint.h>
static int next(void) { static int n = 3; return n += 2; }
static const uint16_t sq[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
enum lvl { LOW = -1, MID, HIGH = 10, TOP };
static int32_t bias = -INT32_C(100000);
static uint8_t zero[10];
static const struct { const char *n; int32_t v; } tab[] = {{"k", 1000}, {"m", INT32_C(1000000)}};
static const double third = 1.0 / 3;
union u { int16_t i; uint8_t b[2]; };
static int *gp = 0;
static int gv = 5;
static int *const gq = &gv;
int main(void) {
    int a = next();
    a += next() * 10;
    printf("%d\n", a);
    int t = 0;
    for (int i = 0; i < 10; i++) t += sq[i] + zero[i];
    printf("%d\n", t);
    printf("%d %d %d %d\n", LOW, MID, HIGH, TOP);
    bias += 1;
    printf("%ld\n", (long)bias);
    for (int i = 0; i < 2; i++) printf("%s %ld\n", tab[i].n, (long)tab[i].v);
    printf("%.6f\n", third);
    union u u = {.i = 0x1234};
    printf("%02x %02x\n", u.b[0], u.b[1]);
    u.b[1] = 0xff;
    printf("%d\n", u.i);
    gp = gq;
    ++*gp;
    printf("%d %d\n", gv, gp == &gv);
    const char *s = "const" " " "literal";
    printf("%s %c\n", s, s[3]);
    return 0;
}
