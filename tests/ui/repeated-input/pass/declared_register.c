//! The register never gives more than is declared, so that every reading writes.
//@ args: --static
//@ config: [[input]]
//@ config: register = "LEVEL"
//@ config: range = [0, 99]
#include <brownout.h>

extern volatile unsigned char LEVEL;
int percent;

int main(void) {
    brownout_checkpoint();
    unsigned char level = LEVEL;
    if (level < 100)
        percent = level;
    brownout_checkpoint();
    return percent;
}
