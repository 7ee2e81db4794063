//! The variable is in non-volatile memory.
//@ args: --static
//@ nv: symbol:alarm
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int total;
int alarm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    total = level;
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return alarm;
}
