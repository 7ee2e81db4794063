//! The helper that writes gets fixed indices only.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int wanted[4];
int heard[4];

static void mark(int *array, int index) {
    array[index] = 1;
}

int main(void) {
    brownout_checkpoint();
    int who = receive() & 3;
    mark(wanted, 2);
    for (int i = 0; i < 4; i++) {
        heard[i] = i == who;
    }
    return 0;
}
