//! Each boot gives one pill, and counts it: pills are counted, and the boot that power cuts short gave none.
//@ restart: harm
#include <brownout.h>

void pill(int) BROWNOUT_OUTPUT(relative);

BROWNOUT_NV int pills, rounds;

int main(void) {
    pills = pills + 1;      //~ restart: pill
    pill(1);
    for (;;) {
        rounds = rounds + pills;
    }
}
