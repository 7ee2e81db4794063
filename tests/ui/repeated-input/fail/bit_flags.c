//! A word of flags that is only written when one of them is to be set.
//@ args: --static
#include <brownout.h>

#define ENABLED 0x01
#define HOT 0x02
#define DRY 0x04

int read_heat(void) BROWNOUT_INPUT;
int read_humidity(void) BROWNOUT_INPUT;

unsigned int options;
unsigned int flags;

int main(void) {
    brownout_checkpoint();
    if (read_heat() > 60) { //~ ERROR [repeated-input] whether `flags` is written
        flags = options | ENABLED | HOT;
    }
    if (read_humidity() < 20) { //~ ERROR [repeated-input] whether `flags` is written
        flags = options | ENABLED | DRY;
    }
    return 0;
}
