//! Two branches on one reading, one in the other: each leaves something behind.
//@ args: --static
#include <brownout.h>

int read_pressure(void) BROWNOUT_INPUT;

int warned;
int vented;
int level;

int main(void) {
    brownout_checkpoint();
    int pressure = read_pressure();
    level = pressure;
    if (pressure > 100) { //~ ERROR [repeated-input] whether `vented` and `warned` are written
        warned = 1;
        if (pressure > 200) { //~ ERROR [repeated-input] whether `vented` is written
            vented = 1;
        }
    }
    return 0;
}
