//! Another value is stored than was read.
#include <brownout.h>

int mode = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = mode; //~ NOTE [war] read here
    mode = 2; //~ ERROR [war] `mode`; `seen` = 2 instead of 1
    return 0;
}
