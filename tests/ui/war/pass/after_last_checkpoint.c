//! The last checkpoint saves what is counted after it.
#include <brownout.h>

int runs;
int ready;

int main(void) {
    brownout_checkpoint();
    ready = 1;
    brownout_checkpoint_with(&runs, sizeof runs);
    runs = runs + 1;
    return 0;
}
