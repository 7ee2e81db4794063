//! Only another variable is in non-volatile memory: this one is put back by the checkpoint.
//@ args: --static
//@ nv: symbol:total
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int total;
int alarm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    total = level;
    if (level > 7) {
        alarm = 1;
    }
    return alarm;
}
