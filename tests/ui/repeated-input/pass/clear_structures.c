//! A loop clears both fields of each structure of an array.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

struct node {
    int value;
    int heard;
};

struct node nodes[4];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 4; i++) {
        nodes[i].value = 0;
        nodes[i].heard = 0;
    }
    if (receive() > 0) {
        nodes[2].value = 1;
        nodes[2].heard = 1;
    }
    return 0;
}
