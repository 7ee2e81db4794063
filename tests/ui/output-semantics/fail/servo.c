//! A servo that turns by an angle turns twice (EWSN'21, Fig. 5).
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "rotate"
//@ config: semantics = "absolute"
//@ config: effect = "angle += arg0"
//@ config: [environment]
//@ config: angle = 0
#include <brownout.h>
void rotate(int degrees);

int main(void) {
    brownout_checkpoint();
    rotate(45);   //~ ERROR [output-semantics] `rotate` is meant to be absolute; `angle` = 90 instead of 45; confirmed
    return 0;
}
