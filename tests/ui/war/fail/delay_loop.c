//! Delays between two writes cost nothing to run.
#include <brownout.h>

BROWNOUT_NV int count;
BROWNOUT_NV int shown;

static void wait(unsigned rounds) {
    while (rounds--)
        ;
}

int main(void) {
    while (1) {
        brownout_checkpoint();
        count++; //~ ERROR [war] `count`
                 //~^ NOTE [war] read here
        for (volatile unsigned i = 0; i < 60000; i++)
            ;
        wait(60000);
        shown = 1;
    }
}
