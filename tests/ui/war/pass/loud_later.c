//! It stores what was read every time.
#include <brownout.h>

int next[3] = {1, 1, 1};
int mode = 1;
int seen[3];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++) {
        seen[i] = mode;
        mode = next[i];
    }
    return 0;
}
