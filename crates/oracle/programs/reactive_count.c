//! A counter, with a checkpoint anywhere.
//@ reactive: harm
#include <brownout.h>

BROWNOUT_NV volatile int count, flag;

int main(void) {
    for (int i = 0; i < 3; i++) {
        count = count + 1;         //~ reactive: count
        flag = 1;
    }
    return 0;
}
