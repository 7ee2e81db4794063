//! Loops, goto, nested break and continue, comma, conditional and computed goto.
#include <stdio.h>
#include <stdint.h>
static int run(const uint8_t *pc) {
    static void *const t[] = {&&inc, &&dbl, &&dec, &&end};
    int a = 1;
    goto *t[*pc++];
    inc: a++;
    goto *t[*pc++];
    dbl: a *= 2;
    goto *t[*pc++];
    dec: a--;
    goto *t[*pc++];
    end: return a;
}
int main(void) {
    int n = 0;
    for (int i = 0, j = 20; i < j; i += 3, j--) n += i * j;
    printf("%d\n", n);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if (j == i) continue;
            if (i * j > 6) break;
            if (i + j == 7) goto out;
            printf("%d%d ", i, j);
        }
    }
    out: printf("\n");
    int k = 10;
    again: if (k > 0) { printf("%d ", k); k -= 3; goto again; }
    printf("%d\n", k);
    do { k += 4; } while (k < 9);
    printf("%d\n", k);
    static const uint8_t p[] = {0, 1, 1, 2, 0, 0, 1, 3};
    printf("%d\n", run(p));
    for (int i = -3; i < 4; i++) printf("%s ", i < 0 ? "neg" : i == 0 ? "zero" : i & 1 ? "odd" : "even");
    int c = (n++, n++, n);
    printf("%d\n", c);
    uint16_t steps = 0;
    for (uint32_t v = 27; v != 1; steps++) v = v & 1 ? 3 * v + 1 : v / 2;
    printf("%u\n", steps);
    for (uint8_t b = 250; b >= 250; b++) printf("%u ", b);
    printf("\n");
    return 0;
}
