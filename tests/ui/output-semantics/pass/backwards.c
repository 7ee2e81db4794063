//! The tag says what it does.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "move"
//@ config: effect = "x += arg0; last = arg1"
//@ config: [environment]
//@ config: x = 100
//@ config: last = 0
#include <brownout.h>
void move(int by, int id) BROWNOUT_OUTPUT(relative);

int main(void) {
    brownout_checkpoint();
    move(-30, 2);
    return 0;
}
