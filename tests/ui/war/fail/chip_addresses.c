//! Non-volatile memory of a chip, reached through addresses that are computed: the mark is written first.
//@ policy: restart
//@ config: chip = "stm32l0"
#include <stdint.h>
#include <stdio.h>

#define BASE 0x08080000u

static void put(uint32_t at, uint8_t value) {
    *(volatile uint8_t *)at = value; //~ ERROR [war] `0x8080000`
}

static const volatile uint8_t *cells(void) {
    return (const volatile uint8_t *)BASE;
}

int main(void) {
    if (cells()[0] != 0x5a) {   //~ NOTE [war] read here
        put(BASE, 0x5a);
        put(BASE + 1, 7);
    }
    printf("%d\n", cells()[1]);
    return 0;
}
