//! Tries are forgotten once the device has been up for some rounds. Of `if (up < 20 && …)` optimising compilers make two loops,
//! one inside the other, and the program stays in the inner one for ever. Two counters that belong together are not counted together.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile unsigned tries, samples, odd;
int level(void) BROWNOUT_INPUT_RANGE(0, 7);

int main(void) {
    unsigned up = 0;
    if (tries < 1000)
        tries++;
    for (;;) {
        if (level() & 1) {
            samples++; //~ ERROR [war]
            odd++;
        }
        if (up < 20 && ++up == 20)
            tries = 0;
    }
}
