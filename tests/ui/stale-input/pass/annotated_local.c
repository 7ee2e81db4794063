//! The local variable that is tagged where it is declared is read where it is used.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "read_temp"
//@ config: values = [21, 40]
#include <brownout.h>
#include <stdio.h>
int read_temp(void);

int main(void) {
    BROWNOUT_MOST_RECENT int t = 0;
    brownout_checkpoint();
    brownout_checkpoint();
    t = read_temp();
    printf("%d\n", t);
    return 0;
}
