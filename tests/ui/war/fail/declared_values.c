//! The readings that are declared always take the branch: what it writes is not a matter of the input, but of what
//! was read before.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [0, 1, 2]
#include <brownout.h>
#include <stdio.h>

int sense(void);
int shown = 3, level;

int main(void) {
    brownout_checkpoint();
    int reading = sense();
    shown = level;
    if (reading < 5)
        level = reading; //~ ERROR [war]
    brownout_checkpoint();
    printf("%d\n", shown);
    return 0;
}
