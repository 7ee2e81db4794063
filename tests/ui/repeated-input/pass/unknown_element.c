//! A reading is stored at one index and an element of another array is tested.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int in_use, shown;
int levels[4];
int limits[4];
int alarm;

int main(void) {
    brownout_checkpoint();
    levels[in_use & 3] = read_adc();
    if (limits[shown & 3] > 5) {
        alarm = 1;
    }
    return 0;
}
