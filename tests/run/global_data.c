//! Large global arrays, zero and non-zero data, tentative definitions and addresses in initialisers.
#include <stdio.h>
static int big[10000];
static unsigned char bytes[40000] = {1, 2, 3};
static double dtab[64] = {[63] = 1.25};
int tent;
int tent;
extern int tent;
int late_arr[];
extern int ext[5];
int ext[5] = {9, 8, 7};
int late_arr[4];
extern const char *const msg;
const char *const msg = "extern const";
static int *mid = &big[5000], *end = big + 10000;
static char *bp = (char *)&bytes[10] + 5;
static long span = sizeof big / sizeof big[0] - 1;
struct g { int *p; struct g *self; int (*f)(int); const char *s; };
static int twice(int x) { return 2 * x; }
static struct g obj = {&ext[2], &obj, twice, "lit" + 1};
static const struct g *const objs[] = {&obj, 0};
int zero_len[0];
static int neg = -(3 + 4) * 2, mask = ~0xf & 0xff, cond = sizeof(long) > 2 ? 5 : 6;
static float fl = 1.0f / 3;
static unsigned long long ull = 1ull << 40 | 3;
int main(void) {
    for (int i = 0; i < 10000; i += 7) big[i] = i;
    long s = 0;
    for (int i = 0; i < 10000; i++) s += big[i];
    printf("%ld %d %d %d\n", s, *mid, end[-3], (int)(end - mid));
    int b = 0;
    for (int i = 0; i < 40000; i++) b += bytes[i];
    bp[0] = 5;
    printf("%d %d %g %g\n", b, bytes[15], dtab[62], dtab[63]);
    tent += 4;
    printf("%d %d %d %s\n", tent, ext[2], late_arr[3], msg);
    printf("%d %d %d %s %s\n", *obj.p, obj.self == &obj, objs[0]->f(21), obj.s, objs[1] ? "x" : "null");
    printf("%ld %d %d %d %.7g %llu\n", span, neg, mask, cond, (double)fl, ull);
    printf("%d\n", (int)sizeof zero_len);
    return (int)(s % 97);
}
