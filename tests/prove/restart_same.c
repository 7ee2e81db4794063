//! Every boot does the same: nothing that is written is read before.
//@ verdict: proved
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int last, twice;
int main(void) {
    last = sense();
    twice = 2 * last;
    return 0;
}
