//! Arguments narrower than `int` have the sign of their type.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "move"
//@ config: effect = "x += arg0; y += arg1; last = arg2"
//@ config: [environment]
//@ config: x = 100
//@ config: y = 0
//@ config: last = 0
#include <brownout.h>
#include <stdint.h>
void move(int8_t by, uint8_t up, int16_t id) BROWNOUT_OUTPUT(absolute);

int main(void) {
    brownout_checkpoint();
    move(0, 0, -1);
    brownout_checkpoint();
    move(-30, 0, 2);    //~ ERROR [output-semantics] repeating it when power fails after it leaves `x` = 40 instead of 70
    brownout_checkpoint();
    move(0, 200, 3);    //~ ERROR [output-semantics] repeating it when power fails after it leaves `y` = 400 instead of 200
    return 0;
}
