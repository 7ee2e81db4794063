//! The mark is written last: whatever `.noinit` holds at the first boot, and wherever power fails, it says the truth.
//@ policy: restart
#include <stdint.h>
#include <stdio.h>

__attribute__((section(".noinit"))) struct {
    uint16_t mark;
    uint16_t request;
} keep;

int main(void) {
    if (keep.mark != 0xb007) {
        keep.request = 0;
        keep.mark = 0xb007;
    }
    printf(keep.request ? "update\n" : "run\n");
    return 0;
}
