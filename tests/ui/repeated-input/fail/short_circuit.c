//! Two readings decide together; the second is only taken after the first.
//@ args: --static
#include <brownout.h>

int read_smoke(void) BROWNOUT_INPUT;
int read_heat(void) BROWNOUT_INPUT;

int fire;

int main(void) {
    brownout_checkpoint();
    if (read_smoke() > 3 && read_heat() > 60) { //~ ERROR [repeated-input] whether `fire` is written
        fire = 1;
    }
    return 0;
}
