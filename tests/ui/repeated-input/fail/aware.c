//! Attempts with a low battery are counted by mistake.
//@ args: --static
#include <brownout.h>

int read_battery(void) BROWNOUT_INPUT;

int weak;

int main(void) {
    brownout_checkpoint();
    if (read_battery() < 7) { //~ ERROR [repeated-input] whether `weak` is written
        weak = weak + 1;      //~ ERROR [war] `weak`
    }
    return 0;
}
