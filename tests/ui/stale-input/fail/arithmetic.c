//! The tag is on the input; the old reading is used through arithmetic and a call.
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
    int warm = celsius(adc()) * 2 + 1; //~ ERROR [stale-input] a reading of `adc` is 1 commit old when it is used
    brownout_checkpoint();
    show(warm / 2);                    //~ NOTE [stale-input] used here
    return 0;
}
