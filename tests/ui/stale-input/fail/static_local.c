//! A static variable of a function is tagged like a local one.
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
        last = thermometer();           //~ ERROR [stale-input] `last` holds a reading of `thermometer` that is 1 commit old
    }
    return last;                        //~ NOTE [stale-input] used here
}

int main(void) {
    measure(1);
    brownout_checkpoint();
    send(measure(0));
    return 0;
}
