//! A function without a body gets a pointer to a variable on one side: it may write it.
//@ args: --static
//@ possible: functions without a body are not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void store(int *to, int value);

int kept;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `kept` is written
        store(&kept, level);
    }
    return 0;
}
