//! All globals but these are NVM.
//@ nv: globals,!symbol:cache,!symbol:count
#include <brownout.h>

int cache;
int count;
int seen;

int main(void) {
    brownout_checkpoint();
    cache = cache + 1;
    count = count + 1;
    seen = 1;
    return 0;
}
