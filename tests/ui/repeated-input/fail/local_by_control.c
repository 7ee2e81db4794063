//! A local variable is set to a constant on one side of a branch on the reading, and decides later.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

int alarm;

int main(void) {
    brownout_checkpoint();
    int pending = 0;
    if (read_adc() > 60) {
        show(1);
        pending = 1;
    }
    show(pending);
    if (pending) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
