//! A step that counts cannot be done again.
//@ restart: harm
#include <brownout.h>

BROWNOUT_NV volatile int state, count;

int main(void) {
    for (;;) {
        if (state == 0) {
            count = count + 1;    //~ restart: count
            state = 1;
        } else {
            state = 0;
        }
    }
}
