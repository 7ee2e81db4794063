//! The reading chooses which of two variables a pointer points to.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int first;
int second;

int main(void) {
    brownout_checkpoint();
    int *chosen = receive() > 3 ? &first : &second;
    *chosen = 1; //~ ERROR [tainted-address] `first` and `second`
    return 0;
}
