//! It is noted before it is made.
//@ policy: restart
#include <brownout.h>

void lamp(int on) BROWNOUT_OUTPUT(absolute);
void message(int code) BROWNOUT_OUTPUT(at_most_once);

BROWNOUT_NV unsigned hours;
BROWNOUT_NV int told;

int main(void) {
    for (;;) {
        lamp(1);
        if (hours >= 100 && !told) {
            told = 1;
            message(7);
        }
        hours++;
    }
}
