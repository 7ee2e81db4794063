//! Nothing clears `.noinit`, so it holds anything at the first boot; the mark is written first: power fails after it, and
//! the next boot takes the rest for valid.
//@ policy: restart
#include <stdint.h>
#include <stdio.h>

__attribute__((section(".noinit"))) struct {
    uint16_t mark;
    uint16_t request;
} keep;

int main(void) {
    if (keep.mark != 0xb007) { //~ NOTE [war] read here
        keep.mark = 0xb007;    //~ ERROR [war] `keep.mark`
        keep.request = 0;
    }
    printf(keep.request ? "update\n" : "run\n");
    return 0;
}
