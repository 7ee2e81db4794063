//! A checkpoint may sit before the output in front: then both are repeated, and come out the same.
//@ nv: !globals
//@ policy: reactive
//@ config: [[output]]
//@ config: function = "set_count"
//@ config: effect = "count = arg0"
//@ config: [[output]]
//@ config: function = "publish"
//@ config: semantics = "absolute"
//@ config: effect = "shown = count"
//@ config: [environment]
//@ config: count = 0
//@ config: shown = 0
#include <brownout.h>
void set_count(int);
void publish(void);

int main(void) {
    set_count(1);
    publish();   //~ NOTE [output-semantics] `set_count` and `publish` do not commute: `shown` is 1 after both, 0 the other way round
    return 0;
}
