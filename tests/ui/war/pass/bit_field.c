//! The bit-field's structure is saved.
#include <brownout.h>

struct {
    unsigned char on : 1;
    unsigned char mode : 3;
    unsigned char tries : 4;
} flags;

int main(void) {
    brownout_checkpoint_with(&flags, sizeof flags);
    flags.tries++;
    return 0;
}
