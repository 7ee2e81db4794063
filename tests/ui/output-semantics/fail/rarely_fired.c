//! What must not be repeated is, with nearly all readings.
#include <brownout.h>

int code(void) BROWNOUT_INPUT;
void fire(int) BROWNOUT_OUTPUT(at_most_once);
BROWNOUT_NV int done;

int main(void) {
    int entered = code();
    brownout_checkpoint();
    if (entered != 4242)
        fire(2); //~ ERROR [output-semantics] `fire`
    done = 1;
    brownout_checkpoint();
    return 0;
}
