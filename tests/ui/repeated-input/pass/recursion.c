//! A function that calls itself reads the sensor each time; what it may set was cleared.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int hit;

static void probe(int depth) {
    if (depth == 0) {
        return;
    }
    if (read_adc() > 7) {
        hit = 1;
    }
    probe(depth - 1);
}

int main(void) {
    brownout_checkpoint();
    hit = 0;
    probe(3);
    return 0;
}
