//! What a first attempt leaves cannot make a second one open the valve, and every attempt closes it.
//@ args: --static
#include <brownout.h>

int water_level(void) BROWNOUT_INPUT;

int high;
int valve;

int main(void) {
    brownout_checkpoint();
    int level = water_level();
    high = 0;
    if (level > 200) {
        if (high) {
            valve = 1;
        }
        if (level > 300) {
            high = 1;
        }
    }
    valve = 0;
    high = 0;
    brownout_checkpoint();
    return valve;
}
