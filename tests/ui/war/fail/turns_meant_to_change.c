//! Every attempt takes the other turn: that is meant. What one of the turns counts is there after the other one, too. What
//! both of them set is right, also if an attempt gets through before power fails again.
#include <brownout.h>

BROWNOUT_NV BROWNOUT_INTERMITTENCE_AWARE volatile int turn;
BROWNOUT_NV volatile int left, sum;

int main(void) {
    brownout_checkpoint();
    turn = turn == 0;
    if (turn != 0) {
        sum = sum - 1; //~ NOTE [war] benign
        left = left + 1; //~ ERROR [war] `left`
    }
    sum = turn; //~ NOTE [war] benign
    brownout_checkpoint();
    return 0;
}
