//! A counter in a bit-field: the effect is told as a path in the object.
#include <brownout.h>

struct {
    unsigned char on : 1;
    unsigned char mode : 3;
    unsigned char tries : 4;
} flags;

int main(void) {
    brownout_checkpoint();
    flags.tries++; //~ ERROR [war] `flags.tries`; `flags.tries` = 2 instead of 1
    return 0;
}
