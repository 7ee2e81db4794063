//! Every iteration writes before it reads.
#include <brownout.h>

int state = 7;
int seen[3];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++) {
        state = i;
        seen[i] = state;
    }
    return 0;
}
