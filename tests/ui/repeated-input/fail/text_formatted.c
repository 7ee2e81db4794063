//! A reading is printed to a string, and a character of it decides.
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
    if (text[2] != 0) { //~ ERROR [repeated-input] whether `wide` is written
        wide = 1;
    }
    return text[0];
}
