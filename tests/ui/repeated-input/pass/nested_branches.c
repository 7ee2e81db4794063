//! Two branches on one reading, one in the other; what they may set is cleared first.
//@ args: --static
#include <brownout.h>

int read_pressure(void) BROWNOUT_INPUT;

int warned;
int vented;
int level;

int main(void) {
    brownout_checkpoint();
    warned = 0;
    vented = 0;
    int pressure = read_pressure();
    level = pressure;
    if (pressure > 100) {
        warned = 1;
        if (pressure > 200) {
            vented = 1;
        }
    }
    return 0;
}
