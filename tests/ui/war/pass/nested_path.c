//! Write before read.
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
    store.entries[1].value = 4;
    seen = store.entries[1].value;
    return 0;
}
