//! The local variable is read where it is used.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "read_temp"
//@ config: values = [21, 40]
//@ config: [[variable]]
//@ config: name = "main::t"
//@ config: model = "most-recent"
#include <brownout.h>
#include <stdio.h>
int read_temp(void);

int main(void) {
    int t = 0;
    brownout_checkpoint();
    brownout_checkpoint();
    t = read_temp();
    printf("%d\n", t);
    return 0;
}
