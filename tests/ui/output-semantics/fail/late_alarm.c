//! What is output once only comes long after what is output in every round.
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
            message(7); //~ ERROR [output-semantics] `message` is to be made at most once, and is made again after a power failure; confirmed
            told = 1;
        }
        hours++;
    }
}
