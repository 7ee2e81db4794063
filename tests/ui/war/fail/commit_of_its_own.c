//! The attempt after a failure comes to a checkpoint that the first one did not come to, and has counted twice at the
//! next one.
#include <brownout.h>

int fresh = 1;
int rounds;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        if (!fresh)
            brownout_checkpoint();
        fresh = 0; //~ NOTE [war] `fresh`; benign
        rounds = rounds + 1; //~ ERROR [war] `rounds`
        //~^ ERROR [war] `rounds`
    }
    return 0;
}
