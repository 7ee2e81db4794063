//! A static variable of a function is read again after the checkpoint.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "thermometer"
//@ config: values = [3, 4]
//@ config: [[variable]]
//@ config: name = "measure::last"
//@ config: model = "most-recent"
#include <brownout.h>
int thermometer(void);
void send(int) BROWNOUT_OUTPUT(absolute);

static int measure(int again) {
    static int last;
    if (again) {
        last = thermometer();
    }
    return last;
}

int main(void) {
    measure(1);
    brownout_checkpoint();
    send(measure(1));
    return 0;
}
