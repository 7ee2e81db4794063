//! A helper may end the program; its caller stores before it is asked.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_battery(void) BROWNOUT_INPUT;

int stored;

static void require(int level) {
    if (level < 5) {
        exit(1);
    }
}

int main(void) {
    brownout_checkpoint();
    int level = read_battery();
    stored = level;
    require(level);
    return 0;
}
