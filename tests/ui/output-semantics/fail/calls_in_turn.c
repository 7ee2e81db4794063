//! Code without a `main`: each call of a function is a region, and what it outputs is repeated with it.
#include <brownout.h>
void dispense(int count) BROWNOUT_OUTPUT(at_most_once);
static int last;

void order(int count) {
    dispense(count); //~ ERROR [output-semantics] dispense
    last = count;
}

int ordered(void) {
    return last;
}
