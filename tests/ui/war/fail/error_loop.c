//! A number is written in one round and its copy in the next one, and a boot that finds them different shows an error for ever:
//! firmware mostly dies like this, and power must not fail in between, which is a quiet moment.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned number, copy;
int event(void) BROWNOUT_INPUT_RANGE(0, 1);
void show(unsigned) BROWNOUT_OUTPUT(absolute);

static unsigned step;

int main(void) {
    if (number != copy) { //~ NOTE [war] read here
        show(9999);
        for (;;) {}
    }
    show(number);
    for (;;) {
        if (!event()) {
            continue;
        }
        if (step == 0) {
            number++; //~ ERROR [war] `number`
        } else {
            copy++;
        }
        step ^= 1;
    }
}
