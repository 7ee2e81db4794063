//! Every attempt takes the other turn: that is meant. What both of them set is right, also if an attempt gets through before
//! power fails again.
#include <brownout.h>

BROWNOUT_NV BROWNOUT_INTERMITTENCE_AWARE volatile int turn;
BROWNOUT_NV volatile int sum;

int main(void) {
    brownout_checkpoint();
    turn = turn == 0;
    if (turn != 0) {
        sum = sum - 1; //~ NOTE [war] benign
    }
    sum = turn; //~ NOTE [war] benign
    brownout_checkpoint();
    return 0;
}
