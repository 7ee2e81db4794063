//! A log in flash skips a record that was cut: what lies where differs, and is right. `brownout crash` can tell.
//@ policy: restart
//@ target: thumbv7m
//@ config: [[flash]]
//@ config: object = "flash"
//@ config: erase-block = 64
//@ config: program-unit = 2
//@ config: program-function = { name = "program", address = "arg0", value = "arg1" }
#include <stdint.h>

uint8_t flash[64];
void program(uint32_t at, uint16_t value);

static uint16_t word(uint32_t at) {
    return (uint16_t)(flash[at] | flash[at + 1] << 8);
}

/* A record is a value and then a mark; one without a mark does not count. */
static void append(uint16_t value) {
    uint32_t at = 0;
    while (at < 60 && word(at) != 0xffff)
        at += 4;
    program(at, value); //~ WARNING [war] `flash[0]`
    program(at + 2, 1);
}

static unsigned records(void) {
    unsigned count = 0;
    for (uint32_t at = 0; at < 60; at += 4)
        count += word(at + 2) == 1;
    return count;
}

int main(void) {
    if (records() < 4)
        append(7);
    return 0;
}
