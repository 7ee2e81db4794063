//! The scenario saves the object with every checkpoint.
//@ set: power.saves=["count"]
#include <brownout.h>

int count;
int other;

int main(void) {
    brownout_checkpoint();
    count = count + 1;
    other = 1;
    return 0;
}
