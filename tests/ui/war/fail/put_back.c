//! The second write puts back what was read: only the first does harm.
#include <brownout.h>

int busy = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = busy; //~ NOTE [war] read here
    busy = 2; //~ ERROR [war] `busy`; `seen` = 2 instead of 1
    busy = 1;
    return 0;
}
