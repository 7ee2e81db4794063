//! The same, with a checkpoint between the read and the write: only the notebook is left.
//@ policy: static
//@ config: [memory]
//@ config: nonvolatile = ["globals"]
//@ config: ghost = ["symbol:trace"]
#include <brownout.h>
#include <stdio.h>

static int next(void) {
    static int trace;
    int number = trace;
    brownout_checkpoint();
    trace = number + 1;
    return number;
}

int trace;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        printf("%d\n", next());
        trace = trace + 1;
        brownout_checkpoint();
    }
    return 0;
}
