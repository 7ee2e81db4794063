//! A checkpoint between read and write helps only if it commits.
//@ static: harmless
//@ conditional: harm
#include <brownout.h>

BROWNOUT_NV int count;

int main(void) {
    brownout_checkpoint();
    int next = count + 1;
    brownout_checkpoint();
    count = next;             //~ conditional: count
    brownout_checkpoint();
    return 0;
}
