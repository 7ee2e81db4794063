//! The same with one variable to write: what has gone is what there was at first without what is left.
//@ policy: restart
#include <brownout.h>

unsigned short command(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned short left = 1000;
unsigned short gone;

int main(void) {
    for (;;) {
        if (command() == 0xBEEF) {
            left -= 10;
        }
        gone = 1000 - left;
    }
}
