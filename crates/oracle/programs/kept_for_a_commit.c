//! What a register holds at one checkpoint is in a variable at the next one, and is read there: that it is gone later does
//! not mend it.
//@ static: harm
#include <brownout.h>

BROWNOUT_NV volatile int count, seen;

int main(void) {
    brownout_checkpoint();
    count = count + 1;                              //~ static: locals
    int copy = count + 1;
    brownout_checkpoint();
    count = copy;
    brownout_checkpoint();
    seen = count;
    seen = 0;
    count = 0;
    brownout_checkpoint();
    return 0;
}
