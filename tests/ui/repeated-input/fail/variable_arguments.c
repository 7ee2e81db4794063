//! The reading is one of a variable number of arguments.
//@ args: --static
#include <brownout.h>
#include <stdarg.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static int highest(int count, ...) {
    va_list list;
    va_start(list, count);
    int best = 0;
    for (int i = 0; i < count; i++) {
        int value = va_arg(list, int);
        if (value > best) {
            best = value;
        }
    }
    va_end(list);
    return best;
}

int main(void) {
    brownout_checkpoint();
    if (highest(2, 3, read_adc()) > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
