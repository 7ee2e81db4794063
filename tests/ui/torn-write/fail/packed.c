//! The counter is packed and lies at an odd address, so its two bytes are written one after the other.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

BROWNOUT_NV struct __attribute__((packed)) {
    uint8_t tag;
    volatile uint16_t count;
} record = {0, 0xfe};

int main(void) {
    for (;;)
        record.count = record.count + 1;    //~ ERROR [torn-write] `record.count`
}
