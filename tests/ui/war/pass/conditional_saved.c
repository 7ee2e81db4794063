//! Both checkpoints save the object.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int level = 1;
int seen;

/* Long enough for the start of the program to be out of reach. */
void wait(void) {
    for (int i = 0; i < 500; i++) {
    }
}

int main(void) {
    wait();
    brownout_checkpoint_with(&level, sizeof level);
    seen = level;
    brownout_checkpoint_with(&level, sizeof level);
    level = 2;
    return 0;
}
