//! The second attempt divides by zero.
#include <brownout.h>

int divisor = 4;
int rate;

int main(void) {
    brownout_checkpoint();
    rate = 100 / divisor; //~ NOTE [war] read here
    divisor = 0; //~ ERROR [war] `divisor`; crash trap
    return 0;
}
