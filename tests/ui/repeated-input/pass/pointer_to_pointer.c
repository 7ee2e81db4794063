//! The reading is stored through a pointer to a pointer, to a place that decides nothing.
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
    int *target = &b;
    fill(&target);
    if (a > 7) {
        alarm = 1;
    }
    return 0;
}
