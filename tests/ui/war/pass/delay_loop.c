//! Delays between two writes cost nothing to run; what is read is committed before it is overwritten.
#include <brownout.h>

BROWNOUT_NV int count;
BROWNOUT_NV int shown;

static void wait(unsigned rounds) {
    while (rounds--)
        ;
}

int main(void) {
    while (1) {
        int next = count + 1;
        brownout_checkpoint();
        count = next;
        for (volatile unsigned i = 0; i < 60000; i++)
            ;
        wait(60000);
        shown = 1;
        brownout_checkpoint();
    }
}
