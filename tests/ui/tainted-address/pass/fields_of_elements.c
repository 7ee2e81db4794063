//! A search for what the configuration says returns the element whose other field is written to.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

struct entry {
    int key;
    int value;
};

static struct entry table[4] = {{10, 0}, {11, 0}, {12, 0}, {13, 0}};
int key;
int last;

static struct entry *find(int wanted) {
    for (int i = 0; i < 4; i++) {
        if (table[i].key == wanted) {
            return &table[i];
        }
    }
    return &table[0];
}

int main(void) {
    brownout_checkpoint();
    int word = receive();
    last = word;
    find(key)->value = 1;
    return table[2].value;
}
