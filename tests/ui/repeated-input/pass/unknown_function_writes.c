//! A function without a body gets a pointer to a variable; it is called in any case, and the variable is written before.
//@ args: --static
//@ possible: functions without a body are not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void store(int *to, int value);

int kept;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    kept = 0;
    if (level > 7) {
        store(&kept, level);
    }
    return 0;
}
