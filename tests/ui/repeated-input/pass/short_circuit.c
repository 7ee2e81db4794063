//! Two readings decide together what is stored; the second is only taken after the first.
//@ args: --static
#include <brownout.h>

int read_smoke(void) BROWNOUT_INPUT;
int read_heat(void) BROWNOUT_INPUT;

int fire;

int main(void) {
    brownout_checkpoint();
    fire = read_smoke() > 3 && read_heat() > 60;
    return 0;
}
