//! A string is copied with padding, to one of two buffers.
//@ args: --static
#include <brownout.h>
#include <string.h>

int read_adc(void) BROWNOUT_INPUT;

char name[8];
char other[8];

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] `name
        strncpy(name, "high", sizeof name);
    } else {
        strncpy(other, "low", sizeof other);
    }
    return 0;
}
