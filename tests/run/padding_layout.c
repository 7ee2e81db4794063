//! Structure padding, packed and aligned attributes, offsetof, sizeof and memcmp after memset.
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdint.h>
#include <stdalign.h>
struct a { char c; int i; short s; double d; char e; };
struct __attribute__((packed)) p { char c; int i; short s; double d; char e; };
struct mixed { char c; struct { short s; char t; } in; long long l; };
struct al { char c; alignas(16) char d; int x __attribute__((aligned(8))); };
struct __attribute__((packed, aligned(4))) pa { char c; short s; int i; };
struct __attribute__((aligned(32))) big { int x; };
union u { char c[9]; int i; };
struct bits { char c; int b : 3; int : 0; char d; };
struct empty {};
struct tailed { int n; struct empty e; char c; };
#define O(t, m) (int)offsetof(struct t, m)
int main(void) {
    printf("%d: %d %d %d %d\n", (int)sizeof(struct a), O(a, i), O(a, s), O(a, d), O(a, e));
    printf("%d: %d %d %d %d\n", (int)sizeof(struct p), O(p, i), O(p, s), O(p, d), O(p, e));
    printf("%d: %d %d %d\n", (int)sizeof(struct mixed), O(mixed, in), O(mixed, in.t), O(mixed, l));
    printf("%d %d: %d %d\n", (int)sizeof(struct al), (int)alignof(struct al), O(al, d), O(al, x));
    printf("%d %d: %d %d\n", (int)sizeof(struct pa), (int)alignof(struct pa), O(pa, s), O(pa, i));
    printf("%d %d %d %d %d\n", (int)sizeof(struct big), (int)sizeof(struct big[2]), (int)sizeof(union u), (int)alignof(union u), (int)sizeof(struct bits));
    printf("%d %d\n", (int)sizeof(struct empty), O(tailed, c));
    struct a x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    x.c = y.c = 1;
    x.i = y.i = -2;
    x.s = y.s = 3;
    x.d = y.d = 4.5;
    x.e = y.e = 5;
    printf("%d\n", memcmp(&x, &y, sizeof x));
    y.s = 4;
    printf("%d\n", memcmp(&x, &y, sizeof x) < 0);
    struct p q = {1, 0x01020304, -1, 1.0, 'z'}, arr[2];
    arr[1] = q;
    arr[1].i++;
    int v;
    memcpy(&v, (char *)arr + sizeof(struct p) + 1, sizeof v);
    printf("%x %d %g %c\n", (unsigned)v, arr[1].s, arr[1].d, arr[1].e);
    static struct big bg[2];
    printf("%d %d\n", (int)((uintptr_t)&bg[1] % 32), (int)((char *)&bg[1] - (char *)bg));
    alignas(64) char loc[3] = {1, 2, 3};
    printf("%d %d\n", (int)((uintptr_t)loc % 64), loc[2]);
    printf("%d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long long), (int)sizeof(float), (int)sizeof(double));
    printf("%d %d\n", (int)sizeof(int[3][4]), (int)sizeof(struct a[5]));
    return 0;
}
