//! The reading chooses which of two variables a pointer points to, after both were written.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int first;
int second;

int main(void) {
    brownout_checkpoint();
    first = 0;
    second = 0;
    int *chosen = receive() > 3 ? &first : &second;
    *chosen = 1;
    return 0;
}
