//! The last region reaches to the end of the program.
#include <brownout.h>

int runs;
int ready;

int main(void) {
    brownout_checkpoint();
    ready = 1;
    brownout_checkpoint();
    runs = runs + 1; //~ ERROR [war] `runs`; `runs` = 2 instead of 1
    return 0;
}
