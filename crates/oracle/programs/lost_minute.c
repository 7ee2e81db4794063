//! Seconds are cleared, then minutes counted: a failure in between loses a minute for good.
//@ restart: harm
#include <brownout.h>

BROWNOUT_NV volatile int seconds, minutes;

int main(void) {
    for (;;) {
        seconds = seconds + 1;
        if (seconds >= 5) {
            seconds = 0;            //~ restart: minutes
            minutes = minutes + 1;
        }
    }
}
