//! A log in flash whose records are a value and then a key: a slot that was cut is left out. What lies where differs, the
//! world sees the same. That a round was done, and its record not shown, would be another matter.
//@ policy: restart
//@ target: thumbv7m
//@ config: [[flash]]
//@ config: object = "flash"
//@ config: erase-block = 256
//@ config: program-unit = 2
//@ config: program-function = { name = "program", address = "arg0", value = "arg1" }
//@ config: [[input]]
//@ config: function = "sense"
//@ config: range = [1, 100]
//@ config: [[output]]
//@ config: function = "show"
#include <stdint.h>

uint8_t flash[256];
void program(uint32_t at, uint16_t value);
int sense(void);
void show(int value, int records);

static uint16_t word(uint32_t at) {
    return (uint16_t)(flash[at] | flash[at + 1] << 8);
}

static void append(uint16_t value) {
    uint32_t at = 0;
    while (at < 256 && (word(at) != 0xffff || word(at + 2) != 0xffff))
        at += 4;
    if (at >= 256)
        return;
    program(at, value); //~ WARNING [war] `flash[0]`
    program(at + 2, 1);
}

int main(void) {
    for (;;) {
        int records = 0, last = 0;
        for (uint32_t at = 0; at < 256; at += 4) {
            if (word(at + 2) == 1) {
                records++;
                last = word(at);
            }
        }
        show(last, records);
        append(sense());
    }
}
