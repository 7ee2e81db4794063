//! The same counter, of which nobody has said that it is meant.
//@ static: harm
#include <brownout.h>

void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int boots;
BROWNOUT_NV int last;

int main(void) {
    boots = boots + 1;    //~ static: boots, last, show
    show(boots);
    last = boots;
    brownout_checkpoint();
    show(last);
    return 0;
}
