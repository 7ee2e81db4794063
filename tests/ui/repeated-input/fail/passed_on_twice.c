//! What a first attempt leaves makes a second one open a valve that it would close again; the third finds it open:
//! power has to fail twice.
//@ args: --static
#include <brownout.h>

int water_level(void) BROWNOUT_INPUT;

int high;
int valve;

int main(void) {
    brownout_checkpoint();
    int level = water_level();
    if (level > 200) { //~ ERROR [repeated-input] whether `valve` is written
        if (high) { //~ NOTE [war] read here
            valve = 1;
        }
        if (level > 300) {
            high = 1; //~ ERROR [war] `high`
        }
        valve = 0;
    }
    high = 0; //~ ERROR [war] `high`; possible
    brownout_checkpoint();
    return valve;
}
