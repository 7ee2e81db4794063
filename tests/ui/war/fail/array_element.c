//! Of an array only one element is read and written.
#include <brownout.h>

int table[4] = {1, 2, 3, 4};
int seen;

int main(void) {
    brownout_checkpoint();
    seen = table[2]; //~ NOTE [war] read here
    table[2] = 9; //~ ERROR [war] `table[2]`; `seen` = 9 instead of 3
    return 0;
}
