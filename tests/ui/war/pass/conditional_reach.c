//! The write is further from the checkpoint than the device runs after committing it.
//@ policy: conditional
//@ depth: 200
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level;
    for (int i = 0; i < 200; i++)
        ;
    level = 2;
    return 0;
}
