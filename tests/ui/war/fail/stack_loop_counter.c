//! The counter of a loop, on a stack in NVM.
//@ nv: stack
#include <brownout.h>

int rounds;
BROWNOUT_NV int result;

int main(void) {
    int i = 0;
    brownout_checkpoint();
    while (i < 3) { //~ NOTE [war] read here
        rounds += i >= 0; //~ NOTE [war] read here
        i++; //~ ERROR [war] `i`; confirmed
        //~| ERROR [war] `i`; confirmed
        //~| ERROR [war] `i`; confirmed
    }
    result = rounds;
    return 0;
}
