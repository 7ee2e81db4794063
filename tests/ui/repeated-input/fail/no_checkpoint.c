//! A program without any checkpoint starts from the beginning each time, and never ends.
//@ args: --static
//@ policy: static
//@ possible: the program never commits and never ends
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    for (;;) {
        if (read_adc() > 7) { //~ ERROR [repeated-input] whether `high` and `low` are written
            high = 1;
        } else {
            low = 1;
        }
    }
}
