//! `BROWNOUT_NV` puts one object into NVM.
#include <brownout.h>

BROWNOUT_NV int kept;
int lost;

int main(void) {
    brownout_checkpoint();
    kept = kept + 1; //~ ERROR [war] `kept`; `kept` = 2 instead of 1
    lost = lost + 1;
    return 0;
}
