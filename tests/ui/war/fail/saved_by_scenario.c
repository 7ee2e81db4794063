//! The scenario saves another object with every checkpoint.
//@ set: power.saves=["other"]
#include <brownout.h>

int count;
int other;

int main(void) {
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count`; `count` = 2 instead of 1
    other = 1;
    return 0;
}
