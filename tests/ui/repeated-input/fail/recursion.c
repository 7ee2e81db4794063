//! A function that calls itself reads the sensor each time.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int hit;

static void probe(int depth) {
    if (depth == 0) {
        return;
    }
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `hit` is written
        hit = 1;
    }
    probe(depth - 1);
}

int main(void) {
    brownout_checkpoint();
    probe(3);
    return 0;
}
