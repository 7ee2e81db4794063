//! A program that switches the processor off when its work is done: no handler could wake it, so that is its end.
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV int level, total;

int main(void) {
    brownout_checkpoint();
    total = level + 1;
    level = 2; //~ ERROR [war] `level`
    for (;;) {
        LPM4;
    }
}
