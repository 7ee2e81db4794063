//! The divisor is saved.
#include <brownout.h>

int divisor = 4;
int rate;

int main(void) {
    brownout_checkpoint_with(&divisor, sizeof divisor);
    rate = 100 / divisor;
    divisor = 0;
    return 0;
}
