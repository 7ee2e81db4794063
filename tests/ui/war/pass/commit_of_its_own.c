//! The attempt after a failure comes to a checkpoint that the first one did not come to, and is in the state of the
//! continuous execution at the next one.
#include <brownout.h>

int fresh = 1;
int rounds;

int main(void) {
    for (int i = 0; i < 3; i++) {
        int next = rounds + 1;
        brownout_checkpoint();
        if (!fresh)
            brownout_checkpoint();
        fresh = 0; //~ NOTE [war] `fresh`; benign
        rounds = next;
    }
    return 0;
}
