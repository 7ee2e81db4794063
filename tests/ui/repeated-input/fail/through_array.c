//! The reading is kept in an array, and its element decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int threshold;
int values[3];
int alarm;

int main(void) {
    brownout_checkpoint();
    values[0] = threshold;
    values[1] = read_adc();
    values[2] = 0;
    if (values[1] > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
