//! Before the first checkpoint a reboot starts the program again, and NVM keeps its contents.
#include <brownout.h>

int boots;
int ready;

int main(void) {
    boots = boots + 1; //~ ERROR [war] `boots`; `boots` = 2 instead of 1
    brownout_checkpoint();
    ready = 1;
    return 0;
}
