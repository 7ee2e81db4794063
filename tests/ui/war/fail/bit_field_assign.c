//! Assigning a bit-field reads its neighbours, which were overwritten later.
#include <brownout.h>

struct {
    unsigned char on : 1;
    unsigned char mode : 3;
    unsigned char tries : 4;
} flags;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = flags.mode; //~ NOTE [war] read here
    flags.mode = 5; //~ ERROR [war] `flags; `seen` = 5 instead of 0
    //~| ERROR [war] `flags; `seen` = 5 instead of 0
    return 0;
}
