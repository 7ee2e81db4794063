//! Everything is in NVM, the local variable too.
//@ nv: globals,stack
#include <brownout.h>

int seen;

int main(void) {
    int count = 1;
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count`; `count` = 3 instead of 2
    seen = 2;
    brownout_checkpoint();
    seen = count;
    return 0;
}
