//! A count of boots in parts: the 256th boot carries into the next part, and power fails in between.
//@ policy: restart
//@ config: memory.atomic-write = 1
#include <brownout.h>

BROWNOUT_NV unsigned boots;

int main(void) {
    unsigned before = boots; //~ NOTE [torn-write] read here
    boots = before + 1;      //~ ERROR [torn-write] `boots`; `boots` = 1 instead of 257
    return 0;
}
