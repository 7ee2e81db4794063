//! A log marks a place when the value is there, and knows from the log itself which value comes next: a place that was cut before its
//! mark is written to once more.
//@ policy: restart
//@ target: riscv32
//@ config: [[flash]]
//@ config: object = "flash"
//@ config: program-unit = 2
//@ config: reprogram = "allow"
//@ config: program-function = { name = "program", address = "arg0", value = "arg1" }
#include <assert.h>
#include <stdint.h>

uint8_t flash[64];
void program(uint32_t at, uint16_t value);

static uint16_t word(uint32_t at) {
    return (uint16_t)(flash[at] | flash[at + 1] << 8);
}

int main(void) {
    uint32_t end = 0;
    while (end < 64 && word(end) != 0xffff)
        end += 4;
    if (end > 0)
        assert(word(end - 2) == end / 4);
    while (end < 24) {
        program(end + 2, (uint16_t)(end / 4 + 1));
        program(end, 0x1111);
        end += 4;
    }
    return 0;
}
