//! A counter in a bit-field.
#include <brownout.h>

struct {
    unsigned char on : 1;
    unsigned char mode : 3;
    unsigned char tries : 4;
} flags;

int main(void) {
    brownout_checkpoint();
    flags.tries++; //~ ERROR [war] `flags.tries`; confirmed
    return 0;
}
