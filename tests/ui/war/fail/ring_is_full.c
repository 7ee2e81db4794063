//! Boots go on from the last level once all are used, which the hundredth round marks before it writes its level.
//@ policy: restart
#include <brownout.h>

enum { LEVELS = 100 };

BROWNOUT_NV volatile int level[LEVELS] = {[0 ... LEVELS - 1] = -1};
BROWNOUT_NV volatile char used[LEVELS];

int sense(void) BROWNOUT_INPUT_RANGE(1, 50);

int main(void) {
    int total = 0;
    int found = 0;
    while (found < LEVELS && used[found])
        found++;
    if (found == LEVELS)
        total = level[LEVELS - 1];
    for (int next = 0;; next = (next + 1) % LEVELS) {
        total += sense();
        used[next] = 1; //~ ERROR [war] `used[99]`
        level[next] = total;
    }
}
