//! The level is read again when the next one may be there already.
//@ reactive: harm
//@ input sense: 4 8 15 16
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void set(int level) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV volatile int level;

int main(void) {
    for (;;) {
        level = sense();    //~ reactive: set
        set(level);
    }
}
