//! A running average.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>

float average = 4.0f;

int main(void) {
    brownout_checkpoint();
    average = average * 0.5f + 1.0f; //~ ERROR [war] `average`; `average` = 2.5 instead of 3
    return 0;
}
