//! A string is copied with padding, to the same bytes on both sides.
//@ args: --static
#include <brownout.h>
#include <string.h>

int read_adc(void) BROWNOUT_INPUT;

char name[8];
char other[8];

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) {
        strncpy(name, "high", sizeof name);
    } else {
        strncpy(name, "low", sizeof name);
    }
    return 0;
}
