//! What is read was written in the same region: the re-execution writes it again.
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    level = 4;
    seen = level;
    level = 2;
    return 0;
}
