//! The reading is stored through a pointer to a pointer.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int a, b;
int alarm;

static void fill(int **to) {
    **to = read_adc();
}

int main(void) {
    brownout_checkpoint();
    int *target = &a;
    fill(&target);
    if (a > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
