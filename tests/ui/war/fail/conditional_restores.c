//! The checkpoint saves one of two objects.
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
    seen = level; //~ NOTE [war] read here
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
