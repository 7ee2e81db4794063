//! Only globals are in NVM: the counter on the stack is restored.
//@ nv: globals
#include <brownout.h>

int seen;

int main(void) {
    int count = 1;
    brownout_checkpoint();
    count = count + 1;
    seen = 2;
    brownout_checkpoint();
    return 0;
}
