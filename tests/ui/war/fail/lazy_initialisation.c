//! The flag is set before the work is done: after a failure nobody does it.
#include <brownout.h>

int ready;
int table;

int main(void) {
    brownout_checkpoint();
    if (!ready) { //~ NOTE [war] read here
        ready = 1; //~ ERROR [war] `ready`; `table` = 0 instead of 7
        table = 7;
    }
    return 0;
}
