//! Structure layout with two-byte maximum alignment.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
struct a { char c; long l; };
struct b { char c; long long q; char d; };
struct c { char c; double d; };
struct d { char a, b, c; };
struct e { char c; void *p; int i; char t; };
struct f { int32_t a; uint8_t b; int64_t c; uint8_t d; };
struct __attribute__((packed)) g { char c; long l; char d; };
struct h { struct d x; int y; };
union u { char c[3]; long l; };
struct k { float f; char c; float g; };
struct m { uint16_t a : 3, b : 13; uint8_t c; uint16_t d : 9; };
_Static_assert(sizeof(struct a) == 6 && sizeof(struct b) == 12 && sizeof(struct c) == 10 && sizeof(struct f) == 16 && sizeof(struct m) == 6, "msp430 layout");
#define O(s, m) (int)offsetof(struct s, m)
int main(void) {
    printf("%d %d\n", (int)sizeof(struct a), O(a, l));
    printf("%d %d %d\n", (int)sizeof(struct b), O(b, q), O(b, d));
    printf("%d %d\n", (int)sizeof(struct c), O(c, d));
    printf("%d %d\n", (int)sizeof(struct d), (int)_Alignof(struct d));
    printf("%d %d %d %d\n", (int)sizeof(struct e), O(e, p), O(e, i), O(e, t));
    printf("%d %d %d %d\n", (int)sizeof(struct f), O(f, b), O(f, c), O(f, d));
    printf("%d %d %d\n", (int)sizeof(struct g), O(g, l), O(g, d));
    printf("%d %d\n", (int)sizeof(struct h), O(h, y));
    printf("%d %d\n", (int)sizeof(union u), (int)_Alignof(union u));
    printf("%d %d\n", (int)sizeof(struct k), O(k, g));
    printf("%d %d\n", (int)sizeof(struct m), O(m, c));
    printf("%d\n", (int)sizeof(struct b[3]));
    return 0;
}
