//! Objects in a non-volatile section are NVM; the others, then, are not.
#include <brownout.h>

__attribute__((section(".nv"))) int kept;
int lost;

int main(void) {
    brownout_checkpoint();
    kept = kept + 1; //~ ERROR [war] `kept`; `kept` = 2 instead of 1
    lost = lost + 1;
    return 0;
}
