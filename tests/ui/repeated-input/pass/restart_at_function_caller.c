//! The caller is restarted as well, reads again, and calls the function, which writes the variable in every attempt.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(int level) {
    alarm = level > 7;
}

int main(void) {
    judge(read_adc());
    return 0;
}
