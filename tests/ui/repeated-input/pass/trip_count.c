//! The input says how often a loop runs, at least once.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;
void beep(void) BROWNOUT_OUTPUT(absolute);

int beeped;

int main(void) {
    brownout_checkpoint();
    int times = receive();
    int i = 0;
    do {
        beep();
        beeped = 1;
        i++;
    } while (i < times);
    return 0;
}
