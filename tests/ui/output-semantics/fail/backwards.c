//! Negative arguments; one call site of two is wrong; the tag is an annotation.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "move"
//@ config: effect = "x += arg0; last = arg1"
//@ config: [environment]
//@ config: x = 100
//@ config: last = 0
#include <brownout.h>
void move(int by, int id) BROWNOUT_OUTPUT(absolute);

int main(void) {
    brownout_checkpoint();
    move(0, 1);
    brownout_checkpoint();
    move(-30, 2);   //~ ERROR [output-semantics] repeating it when power fails after it leaves `x` = 40 instead of 70
    return 0;
}
