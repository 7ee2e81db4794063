//! The second checkpoint saves less than the first: what the first one listed does not count.
//@ verdict: counterexample
//@ finding: war y
#include <brownout.h>
BROWNOUT_NV int x, y;
int main(void) {
    brownout_checkpoint_with(&x, sizeof x, &y, sizeof y);
    brownout_checkpoint_with(&x, sizeof x);
    x++;
    y++;
    brownout_checkpoint();
    return 0;
}
