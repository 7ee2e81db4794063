//! Records in an EEPROM are copied to a local before the newest is chosen. Nothing is written to the gap at their end: what
//! it holds in the copy, erased bytes or what was on the stack, is nobody's.
//@ policy: restart
#include <avr/eeprom.h>
#include <brownout.h>
#include <stdint.h>

struct record {
    uint16_t value;
    uint8_t check;
};

EEMEM struct record records[2];
void work(int round) BROWNOUT_OUTPUT(absolute);

static uint8_t check(uint16_t value) {
    return (uint8_t)((value & 0xff) * 7 + (value >> 8) * 13 + 3);
}

int main(void) {
    struct record newest = {0}, read;
    uint8_t at = 1;
    for (uint8_t i = 0; i < 2; i++) {
        eeprom_read_block(&read, &records[i], sizeof read);
        if (read.check == check(read.value) && read.value > newest.value) {
            newest = read;
            at = i;
        }
    }
    for (;;) {
        work(newest.value);
        newest.value++;
        newest.check = check(newest.value);
        at = !at;
        eeprom_write_block(&newest, &records[at], sizeof newest);
    }
}
