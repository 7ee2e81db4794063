//! Narrow arguments, with and without a sign: the tag says what they do.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "move"
//@ config: effect = "x += arg0; y += arg1"
//@ config: [environment]
//@ config: x = 100
//@ config: y = 0
#include <brownout.h>
#include <stdint.h>
void move(int8_t by, uint8_t up) BROWNOUT_OUTPUT(relative);

int main(void) {
    brownout_checkpoint();
    move(-30, 200);
    return 0;
}
