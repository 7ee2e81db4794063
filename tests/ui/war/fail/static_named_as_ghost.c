//! A static variable of a function is called like the notebook of the test, which is a ghost: it is none.
//@ policy: static
//@ config: [memory]
//@ config: nonvolatile = ["globals"]
//@ config: ghost = ["symbol:trace"]
#include <brownout.h>
#include <stdio.h>

static int next(void) {
    static int trace;
    int number = trace; //~ NOTE [war] read here
    trace = number + 1; //~ ERROR [war] `trace` is read, then overwritten before the next checkpoint; confirmed
    return number;
}

int trace;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        printf("%d\n", next());
        trace = trace + 1;
    }
    return 0;
}
