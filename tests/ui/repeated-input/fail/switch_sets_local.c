//! A switch on the reading sets a local variable; another switch on it writes.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int left;
int right;

int main(void) {
    brownout_checkpoint();
    int turn;
    switch (receive()) {
    case 'l':
        turn = 1;
        break;
    case 'r':
        turn = 2;
        break;
    default:
        turn = 0;
        break;
    }
    switch (turn) { //~ ERROR [repeated-input] whether `left` and `right` are written
    case 1:
        left = 1;
        break;
    case 2:
        right = 1;
        break;
    }
    return 0;
}
