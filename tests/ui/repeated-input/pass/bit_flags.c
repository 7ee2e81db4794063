//! A word of flags that is composed first and then written.
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
    unsigned int word = options | ENABLED;
    if (read_heat() > 60) {
        word |= HOT;
    }
    if (read_humidity() < 20) {
        word |= DRY;
    }
    flags = word;
    return 0;
}
