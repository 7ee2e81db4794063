//! The counter is packed and lies at an even address, so its two bytes are written at once.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

BROWNOUT_NV struct __attribute__((packed)) {
    volatile uint16_t count;
    uint8_t tag;
} record = {0xfe, 0};

int main(void) {
    for (;;)
        record.count = record.count + 1;
}
