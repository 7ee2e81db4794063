//! The input says how often a loop runs, perhaps never.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;
void beep(void) BROWNOUT_OUTPUT(absolute);

int beeped;

int main(void) {
    brownout_checkpoint();
    int times = receive();
    for (int i = 0; i < times; i++) { //~ ERROR [repeated-input] whether `beeped` is written
        beep();
        beeped = 1;
    }
    return 0;
}
