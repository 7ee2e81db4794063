//! A local variable is tagged where it is declared.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "read_temp"
//@ config: values = [21, 40]
#include <brownout.h>
#include <stdio.h>
int read_temp(void);

int main(void) {
    BROWNOUT_MOST_RECENT int t = read_temp();    //~ ERROR [stale-input] `t` holds a reading of `read_temp` that is 2 commits old
    brownout_checkpoint();
    brownout_checkpoint();
    printf("%d\n", t);      //~ NOTE [stale-input] used here
    return 0;
}
