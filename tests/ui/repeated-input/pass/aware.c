//! Attempts with a low battery are counted on purpose.
//@ args: --static
//@ config: [[variable]]
//@ config: name = "weak"
//@ config: intermittence-aware = true
#include <brownout.h>

int read_battery(void) BROWNOUT_INPUT;

int weak;

int main(void) {
    brownout_checkpoint();
    if (read_battery() < 7) {
        weak = weak + 1;
    }
    return 0;
}
