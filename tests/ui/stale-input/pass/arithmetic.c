//! Arithmetic and a call, all between two checkpoints.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "adc"
//@ config: range = [0, 1023]
//@ config: model = "most-recent"
#include <brownout.h>
int adc(void);
void show(int) BROWNOUT_OUTPUT(absolute);

static int celsius(int raw) {
    return raw * 25 / 64 - 50;
}

int main(void) {
    brownout_checkpoint();
    int warm = celsius(adc()) * 2 + 1;
    show(warm / 2);
    brownout_checkpoint();
    return 0;
}
