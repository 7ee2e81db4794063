//! The path to a field of an element of an array in a structure.
#include <brownout.h>

struct {
    int used;
    struct {
        char key;
        int value;
    } entries[3];
} store;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = store.entries[1].value; //~ NOTE [war] read here
    store.entries[1].value = 4; //~ ERROR [war] `store.entries[1].value`; `seen` = 4 instead of 0
    return 0;
}
