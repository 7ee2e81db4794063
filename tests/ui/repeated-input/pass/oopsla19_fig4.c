//! OOPSLA'19 Fig. 4, repaired: both flags are written by every attempt, and the checkpoint saves the counter.
//@ args: --static
#include <brownout.h>

int read_temperature(void) BROWNOUT_INPUT;
void show(int lamp) BROWNOUT_OUTPUT(absolute);

int blink;
int steady;
int events;

static void alert(void) {
    if (blink) {
        show(2);
        events = events + 1;
    }
}

int main(void) {
    brownout_checkpoint_with(&events, sizeof events);
    int temperature = read_temperature();
    if (temperature < 40) {
        steady = 1;
        blink = 0;
    } else {
        steady = 0;
        blink = 1;
    }
    show(steady);
    alert();
    return 0;
}
