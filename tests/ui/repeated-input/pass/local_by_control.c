//! A local variable is set to the same constant on both sides of a branch on the reading; the later branch always goes the same way.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

int alarm;

int main(void) {
    brownout_checkpoint();
    int pending = 1;
    if (read_adc() > 60) {
        show(1);
        pending = 1;
    }
    show(pending);
    if (pending) {
        alarm = 1;
    }
    return 0;
}
