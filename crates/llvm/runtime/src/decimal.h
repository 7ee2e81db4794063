/* decimal.h: an exact decimal number, wide enough for every double, and for
 * every long double of 80 bits where there are such.
 *
 * printf turns m * 2^e into digits and strtod turns digits into m * 2^e; both
 * do it by keeping the value as decimal limbs and doubling or halving it.  Both
 * directions are exact, since halving a decimal only ever appends digits. */
#ifndef BROWNOUT_DECIMAL_H
#define BROWNOUT_DECIMAL_H
#include <stdbool.h>
#include <stdint.h>

#define DECIMAL_BASE 1000000000ul /* one limb is nine decimal digits */
#if __LDBL_MANT_DIG__ == 64
#define DECIMAL_LIMBS 1850
#define DECIMAL_WHOLE 552 /* limbs before the point that the largest number needs, and one */
#else
#define DECIMAL_LIMBS 152
#define DECIMAL_WHOLE 40
#endif

/* The value is the sum of limb[i] * DECIMAL_BASE^(point-1-i) for first <= i <
 * last.  The point may lie outside the stretch that is stored. */
struct decimal {
    int first, last, point;
    bool sticky; /* something other than zero was dropped beyond `last` */
    uint32_t limb[DECIMAL_LIMBS];
};

/* The one work area.  printf and strtod never run inside each other. */
extern struct decimal __brownout_decimal;

void __brownout_decimal_double(int times);
void __brownout_decimal_halve(int times);
uint32_t __brownout_power_of_ten(int n); /* 0 <= n <= 9 */

/* The limb that holds the digit worth 10^position, and where in it (0 = last
 * of the nine digits). */
static inline int decimal_index(int position, int *within) {
    int q = position >= 0 ? position / 9 : -((8 - position) / 9);
    *within = position - q * 9;
    return __brownout_decimal.point - 1 - q;
}

/* Bits of a double. */
union double_bits {
    double value;
    uint64_t bits;
};
#define DOUBLE_FRACTION ((uint64_t)0xfffffffffffff)
#define DOUBLE_HIDDEN ((uint64_t)1 << 52)
#define DOUBLE_INFINITE 0x7ff

#if __LDBL_MANT_DIG__ == 64
/* Bits of a long double, all of which are in the fraction or beside it. */
union long_double_bits {
    long double value;
    struct {
        uint64_t fraction;
        uint16_t exponent; /* and the sign */
    };
};
#define LONG_DOUBLE_INFINITE 0x7fff
#endif
#endif
