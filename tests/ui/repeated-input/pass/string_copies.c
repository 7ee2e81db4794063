//! Strings of the same length are copied.
//@ args: --static
#include <brownout.h>
#include <string.h>

int read_adc(void) BROWNOUT_INPUT;

char label[8];

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) {
        strcpy(label, "warm");
    } else {
        strcpy(label, "cold");
    }
    return 0;
}
