//! A boot counter that is meant, and shown.
//@ static: harmless
//@ restart: harmless
#include <brownout.h>

void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_INTERMITTENCE_AWARE BROWNOUT_NV int boots;
BROWNOUT_NV int last;

int main(void) {
    boots = boots + 1;
    show(boots);
    last = boots;
    brownout_checkpoint();
    show(last);
    return 0;
}
