//! What is read was written since the first checkpoint.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    level = 3;
    seen = level;
    brownout_checkpoint();
    level = 2;
    return 0;
}
