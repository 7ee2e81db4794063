//! The same, with a note that is taken before.
#include <brownout.h>
void dispense(int count) BROWNOUT_OUTPUT(at_most_once);
static char served, wanted;

void order(void) {
    wanted = 1;
}

void serve(void) {
    if (served != wanted) { //~ NOTE [war] read here
        served = wanted; //~ NOTE [war] `served`; benign
        dispense(1);
    }
}
