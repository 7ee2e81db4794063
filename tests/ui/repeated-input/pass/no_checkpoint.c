//! A program without any checkpoint starts from the beginning each time, and clears both variables.
//@ args: --static
//@ policy: static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    high = 0;
    low = 0;
    for (;;) {
        if (read_adc() > 7) {
            high = 1;
        } else {
            low = 1;
        }
    }
}
