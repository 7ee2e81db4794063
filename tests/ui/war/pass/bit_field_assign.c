//! Assigning a bit-field reads its byte and writes it back: harmless when nothing else changes.
#include <brownout.h>

struct {
    unsigned char on : 1;
    unsigned char mode : 3;
    unsigned char tries : 4;
} flags;
int seen;

int main(void) {
    brownout_checkpoint();
    flags.mode = 5; //~ NOTE [war] benign
    seen = flags.mode;
    return 0;
}
