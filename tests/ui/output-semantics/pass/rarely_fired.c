//! Nothing is repeated that is executed; what is not executed is said.
//@ unknown: `fire(2)` is never executed
#include <brownout.h>

int code(void) BROWNOUT_INPUT;
void fire(int) BROWNOUT_OUTPUT(at_most_once);
BROWNOUT_NV int done;

int main(void) {
    int entered = code();
    brownout_checkpoint();
    if (entered == 4242 && code() == 777 && code() == 31)
        fire(2);
    done = 1;
    brownout_checkpoint();
    return 0;
}
