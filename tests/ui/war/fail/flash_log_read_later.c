//! A log marks a place before it has written the value there. Cut in the first round the next value lies one place further, which may
//! be right; cut in the second one, a boot reads a value that is not there.
//@ policy: restart
//@ target: riscv32
//@ config: [[flash]]
//@ config: object = "flash"
//@ config: program-unit = 2
//@ config: program-function = { name = "program", address = "arg0", value = "arg1" }
#include <assert.h>
#include <brownout.h>
#include <stdint.h>

uint8_t flash[64];
void program(uint32_t at, uint16_t value);

BROWNOUT_GHOST uint16_t stored;

static uint16_t word(uint32_t at) {
    return (uint16_t)(flash[at] | flash[at + 1] << 8);
}

int main(void) {
    uint32_t end = 0;
    while (end < 64 && word(end) != 0xffff)
        end += 4;
    if (stored > 0)
        assert(word(end - 2) == stored || word(end - 2) == stored + 1);
    while (stored < 6) {
        program(end, 0x1111); //~ ERROR [war] `flash[4]`; crash
        program(end + 2, stored + 1);
        end += 4;
        stored++;
    }
    return 0;
}
