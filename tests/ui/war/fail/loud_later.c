//! The same line stores what was read twice, and something else the third time.
#include <brownout.h>

int next[3] = {1, 1, 2};
int mode = 1;
int seen[3];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++) {
        seen[i] = mode; //~ NOTE [war] read here
        mode = next[i]; //~ ERROR [war] `mode`; `seen[0]` = 2 instead of 1
    }
    return 0;
}
