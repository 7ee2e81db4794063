//! A `static` variable in a function lives in NVM like any global.
#include <brownout.h>

int seen;

static int serial(void) {
    static int last = 100;
    last = last + 1; //~ ERROR [war] `last`; `last` = 102 instead of 101; `seen` = 102 instead of 101
    return last;
}

int main(void) {
    brownout_checkpoint();
    seen = serial();
    return 0;
}
