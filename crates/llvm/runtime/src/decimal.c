/* decimal.c: doubling and halving of the exact decimal in decimal.h. */
#include "decimal.h"

struct decimal __brownout_decimal;

uint32_t __brownout_power_of_ten(int n) {
    static const uint32_t powers[] = {1,       10,       100,       1000,      10000,
                                      100000,  1000000,  10000000,  100000000, 1000000000};
    return powers[n];
}

void __brownout_decimal_double(int times) {
    struct decimal *d = &__brownout_decimal;
    while (times > 0) {
        int step = times < 29 ? times : 29;
        uint32_t carry = 0;
        for (int i = d->last; i-- > d->first;) {
            uint64_t x = ((uint64_t)d->limb[i] << step) + carry;
            carry = (uint32_t)(x / DECIMAL_BASE);
            d->limb[i] = (uint32_t)(x % DECIMAL_BASE);
        }
        if (carry)
            d->limb[--d->first] = carry;
        times -= step;
    }
}

void __brownout_decimal_halve(int times) {
    struct decimal *d = &__brownout_decimal;
    while (times > 0) {
        int step = times < 9 ? times : 9; /* the base is a multiple of 2^9, no more */
        uint32_t mask = ((uint32_t)1 << step) - 1;
        uint32_t worth = (uint32_t)(DECIMAL_BASE >> step);
        uint32_t carry = 0;
        for (int i = d->first; i < d->last; i++) {
            uint32_t x = d->limb[i];
            d->limb[i] = (x >> step) + carry;
            carry = (x & mask) * worth;
        }
        if (carry) {
            if (d->last < DECIMAL_LIMBS)
                d->limb[d->last++] = carry;
            else
                d->sticky = true;
        }
        while (d->first < d->last && d->limb[d->first] == 0)
            d->first++;
        times -= step;
    }
}
