//! The failure that is emulated for `level` restores `count`, which is saved: no harm is done.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int count;
int level = 1;
int seen;

/* Long enough for the start of the program to be out of reach. */
void wait(void) {
    for (int i = 0; i < 500; i++) {
    }
}

int main(void) {
    wait();
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    seen = level;
    level = 2; //~ NOTE [war] benign
    seen = 0;
    return 0;
}
