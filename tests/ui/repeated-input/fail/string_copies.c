//! Strings of different lengths are copied: the longer one stays behind the shorter one.
//@ args: --static
#include <brownout.h>
#include <string.h>

int read_adc(void) BROWNOUT_INPUT;

char label[8];

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `label
        strcpy(label, "boiling");
    } else {
        strcpy(label, "cold");
    }
    return 0;
}
