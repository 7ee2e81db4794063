//! Nothing but the annotated object is in NVM, and that is only written.
#include <brownout.h>

BROWNOUT_NV int kept;
int lost;

int main(void) {
    brownout_checkpoint();
    kept = 1;
    lost = lost + 1;
    return 0;
}
