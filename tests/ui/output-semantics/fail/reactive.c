//! With checkpoints anywhere one may sit right before the output.
//@ nv: !globals
//@ policy: reactive
//@ config: [[output]]
//@ config: function = "rotate"
//@ config: semantics = "absolute"
//@ config: effect = "angle += arg0"
//@ config: [environment]
//@ config: angle = 0
#include <brownout.h>
void rotate(int degrees);

int main(void) {
    for (int i = 0; i < 3; i++)
        rotate(i);   //~ ERROR [output-semantics] `rotate` is meant to be absolute; `angle` = 2 instead of 1
    return 0;
}
