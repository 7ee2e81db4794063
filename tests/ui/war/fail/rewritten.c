//! Read and overwritten.
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level; //~ NOTE [war] read here
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
