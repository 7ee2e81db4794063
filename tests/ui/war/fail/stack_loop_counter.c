//! The counter of a loop, on a stack in NVM.
//@ nv: stack
#include <brownout.h>

volatile int output;

int main(void) {
    int i = 0;
    brownout_checkpoint();
    while (i < 3) { //~ NOTE [war] read here
        output = i; //~ NOTE [war] read here
        i++; //~ ERROR [war] `i`; confirmed
        //~| ERROR [war] `i`; confirmed
        //~| ERROR [war] `i`; confirmed
    }
    return 0;
}
