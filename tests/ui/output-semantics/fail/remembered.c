//! What must not happen twice is remembered after it was done: power fails in between.
#include <brownout.h>

void send(unsigned number) BROWNOUT_OUTPUT(at_most_once);

BROWNOUT_NV unsigned next;

int main(void) {
    for (;;) {
        unsigned number = next;
        send(number); //~ ERROR [output-semantics] `send` is to be made at most once, and is made again after a power failure
        next = number + 1;
    }
}
