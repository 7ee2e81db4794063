//! A search by key; then parts of the element that the search does not read are changed.
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
    for (int i = 0; i < 3; i++) {
        slots[found].data[i] = 0;
    }
    slots[found].count = 1;
    return slots[0].data[1] + slots[1].count;
}
