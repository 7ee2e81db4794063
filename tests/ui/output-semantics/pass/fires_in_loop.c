//! It is noted before it is made.
#include <brownout.h>

void fire(int charge) BROWNOUT_OUTPUT(at_most_once);

BROWNOUT_NV int fired;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        if (i == 1 && !fired) {
            fired = 1; //~ NOTE [war] `fired` is read, then overwritten before the next checkpoint; benign
            fire(1);
        }
    }
    brownout_checkpoint();
    return 0;
}
