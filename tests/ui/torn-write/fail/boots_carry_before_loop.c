//! Boots are counted in parts before the main loop: the 256th one carries into the next part, and power fails in between.
//@ policy: restart
//@ config: memory.atomic-write = 1
#include <brownout.h>

BROWNOUT_NV unsigned boots;

void show(int number) BROWNOUT_OUTPUT(absolute);

int main(void) {
    unsigned before = boots; //~ NOTE [torn-write] read here
    boots = before + 1;      //~ ERROR [torn-write] `boots`; `boots` = 1 instead of 257
    for (;;)
        show(boots);
}
