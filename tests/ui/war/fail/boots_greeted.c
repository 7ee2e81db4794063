//! Boots are counted, and each gives a pill, which counts as well: the boot that power cut short gave none.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile unsigned pills, seconds;

void give(int pills) BROWNOUT_OUTPUT(relative);

int main(void) {
    pills = pills + 1; //~ ERROR [war] `pills`; output "" instead of "1"
    give(1);
    for (;;)
        seconds = seconds + pills;
}
