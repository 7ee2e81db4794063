//! A search by key; then a part of the element that the search reads is changed.
//@ args: --static
#include <brownout.h>

struct slot {
    unsigned char key;
    unsigned char data[3];
    int count;
};

static struct slot slots[6];
int wanted;

int main(void) {
    brownout_checkpoint();
    int found = 0;
    for (int i = 0; i < 6; i++) {
        if (slots[i].key == wanted) {
            found = i;
        }
    }
    slots[found].key = 0; //~ ERROR [war] `slots[0..6].key`
    return slots[0].data[1] + slots[1].count;
}
