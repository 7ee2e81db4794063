//! A servo that turns to an angle does not mind.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "rotate_to"
//@ config: semantics = "absolute"
//@ config: effect = "angle = arg0"
//@ config: [environment]
//@ config: angle = 0
#include <brownout.h>
void rotate_to(int degrees);

int main(void) {
    brownout_checkpoint();
    rotate_to(45);
    return 0;
}
