//! A counter in a loop without end, with a checkpoint anywhere.
//@ reactive: harm
#include <brownout.h>

BROWNOUT_NV volatile int count, flag;

int main(void) {
    for (;;) {
        count = count + 1;         //~ reactive: count
        flag = 1;
    }
}
