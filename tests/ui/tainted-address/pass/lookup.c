//! A search for what the configuration says returns the address that is written to.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

static const int keys[4] = {10, 11, 12, 13};
static int values[4];
int key;
int last;

static int *find(int wanted) {
    for (int i = 0; i < 4; i++) {
        if (keys[i] == wanted) {
            return &values[i];
        }
    }
    return &values[0];
}

int main(void) {
    brownout_checkpoint();
    int word = receive();
    last = word;
    *find(key) = 1;
    return values[key & 3];
}
