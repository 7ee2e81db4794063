//! All globals but one are NVM.
//@ nv: globals,!symbol:cache
#include <brownout.h>

int cache;
int count;
int seen;

int main(void) {
    brownout_checkpoint();
    cache = cache + 1;
    count = count + 1; //~ ERROR [war] `count`; `count` = 2 instead of 1
    seen = 1;
    return 0;
}
