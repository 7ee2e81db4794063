//! A helper may end the program; what its caller stores afterwards depends on that.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_battery(void) BROWNOUT_INPUT;

int stored;

static void require(int level) {
    if (level < 5) { //~ ERROR [repeated-input] whether `stored` is written
        exit(1);
    }
}

int main(void) {
    brownout_checkpoint();
    int level = read_battery();
    require(level);
    stored = level;
    return 0;
}
