//! The register gives a reading that writes nothing: what the attempt before wrote stays.
//@ args: --static
//@ config: [[input]]
//@ config: register = "LEVEL"
//@ config: range = [0, 100]
#include <brownout.h>

extern volatile unsigned char LEVEL;
int percent;

int main(void) {
    brownout_checkpoint();
    unsigned char level = LEVEL;
    if (level < 100) //~ ERROR [repeated-input]
        percent = level;
    brownout_checkpoint();
    return percent;
}
