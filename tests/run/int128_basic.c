//! __int128 addition, subtraction, multiplication, shifts, comparisons and conversions.
#include <stdio.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *n, u128 v) {
    printf("%s %016llx%016llx\n", n, (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void) {
    volatile uint64_t a = 0xfedcba9876543210ull, b = 0x0123456789abcdefull;
    u128 p = (u128)a * b; show("mul", p);
    show("add", p + ((u128)1 << 127)); show("sub", (u128)b - a); show("neg", -p); show("not", ~p);
    show("and", p & (((u128)a << 64) | b)); show("or", p | 1); show("xor", p ^ ((u128)b << 32));
    for (int n = 0; n < 128; n += 13) {
        printf("%d ", n);
        show("shl", p << n);
        show("shr", p >> n);
        show("sar", (u128)((i128)(p << 3) >> n));
    }
    i128 s = -(i128)a; show("s", (u128)s);
    printf("%d %d %d %d\n", s < 0, s < (i128)b, (u128)s < b, s == -(i128)a);
    printf("%lld %d %d\n", (long long)s, (int)s, (signed char)s);
    printf("%.17g %.17g %.9g\n", (double)s, (double)p, (double)(float)p);
    i128 fromd = (i128)-1.5e30; show("fromd", (u128)fromd);
    u128 fact = 1; for (int i = 2; i <= 33; i++) fact *= (unsigned)i;
    show("33!", fact);
    u128 f0 = 0, f1 = 1; for (int i = 0; i < 180; i++) { u128 t = f0 + f1; f0 = f1; f1 = t; }
    show("fib", f0);
    i128 arr[3] = {-1, 0, (i128)1 << 100}; i128 sum = 0;
    for (int i = 0; i < 3; i++) sum += arr[i];
    show("sum", (u128)sum);
    printf("%d %d\n", (int)sizeof(i128), (int)_Alignof(i128));
    return 0;
}
