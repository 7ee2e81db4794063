//! The readings that are declared always take the branch, and nothing is read before it.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: range = [0, 4]
#include <brownout.h>
#include <stdio.h>

int sense(void);
int level;

int main(void) {
    brownout_checkpoint();
    int reading = sense();
    if (reading < 5)
        level = reading;
    brownout_checkpoint();
    printf("%d\n", level);
    return 0;
}
