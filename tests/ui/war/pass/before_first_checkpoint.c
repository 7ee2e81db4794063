//! Nothing is read and written before the first checkpoint, which saves the counter.
#include <brownout.h>

int boots;
int ready;

int main(void) {
    brownout_checkpoint_with(&boots, sizeof boots);
    boots = boots + 1;
    brownout_checkpoint();
    ready = 1;
    return 0;
}
