//! Two counters that belong together: between them, power failures tear them apart.
//@ verdict: counterexample
#include <brownout.h>
BROWNOUT_NV int seconds, ticks;
int main(void) {
    seconds = seconds + 1;
    ticks = ticks + 60;
    return 0;
}
