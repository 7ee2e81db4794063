//! The reading is one of a variable number of arguments; the result is stored.
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
    alarm = highest(2, 3, read_adc()) > 7;
    return 0;
}
