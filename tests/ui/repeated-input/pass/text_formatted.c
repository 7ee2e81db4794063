//! A reading is printed to a string, and a character of another string decides.
//@ args: --static
#include <brownout.h>
#include <stdio.h>

int read_adc(void) BROWNOUT_INPUT;

char name[8];
int wide;

int main(void) {
    char text[8];
    brownout_checkpoint();
    snprintf(text, sizeof text, "%d", read_adc());
    if (name[2] != 0) {
        wide = 1;
    }
    return text[0];
}
