//! Integers of more than 128 bits: overflow checks of mixed signs into `__int128`, `_BitInt`.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 s128;
typedef unsigned _BitInt(200) u200;
typedef _BitInt(256) s256;

static void show(const char *name, u128 v, int over) {
    printf("%s %016llx%016llx %d\n", name, (unsigned long long)(v >> 64), (unsigned long long)v, over);
}

static void show_wide(const char *name, u200 v) {
    printf("%s", name);
    for (int word = 3; word >= 0; word--)
        printf(" %016llx", (unsigned long long)(v >> word * 64 % 200));
    printf("\n");
}

int main(void) {
    u128 us[] = {0, 1, ~(u128)0, (u128)1 << 127, ((u128)1 << 127) - 1,
                 (u128)12345678901234567ull * 987654321987ull, (u128)1 << 64};
    s128 ss[] = {0, 1, -1, (s128)((u128)1 << 127), (s128)(((u128)1 << 127) - 1),
                 (s128)-12345678901234567ll * 987654321987ll, (s128)1 << 64};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            volatile u128 a = us[i];
            volatile s128 b = ss[j];
            s128 s;
            u128 u;
            int over = __builtin_mul_overflow(a, b, &s);
            show("mul", (u128)s, over);
            over = __builtin_add_overflow(a, b, &s);
            show("add", (u128)s, over);
            over = __builtin_sub_overflow(a, b, &u);
            show("sub", u, over);
            over = __builtin_mul_overflow(a, b, &u);
            show("umul", u, over);
        }
    u200 x = ((u200)0x123456789abcdefull << 130) + ((u200)0xfedcba9876543210ull << 64) + 7;
    show_wide("square", x * x);
    show_wide("triple", x * 3);
    for (volatile int k = 0; k < 200; k += 13) {
        show_wide("shl", x << k);
        show_wide("shr", x >> k);
        show_wide("rotated", x << 37 | x >> 163);
    }
    s256 z = -(s256)x;
    for (volatile int k = 0; k < 256; k += 19)
        show_wide("ashr", (u200)(z >> k));
    printf("%d %d %d\n", z < 0, (u200)z > x, z == -(s256)x);
    return 0;
}
