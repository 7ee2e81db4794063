//! Two reads, one later write: two findings.
#include <brownout.h>

int level = 1;
int first, second;

int main(void) {
    brownout_checkpoint();
    first = level; //~ NOTE [war] read here
    second = level; //~ NOTE [war] read here
    level = 2; //~ ERROR [war] `level`; `first` = 2 instead of 1; `second` = 2 instead of 1
    //~| ERROR [war] `level`; `first` = 2 instead of 1; `second` = 2 instead of 1
    return 0;
}
