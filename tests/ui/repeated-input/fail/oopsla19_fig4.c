//! OOPSLA'19 Fig. 4: a flag that depends on the sensor decides in another function whether an event is counted.
//@ args: --static
#include <brownout.h>

int read_temperature(void) BROWNOUT_INPUT;
void show(int lamp) BROWNOUT_OUTPUT(absolute);

int blink;
int steady;
int events;

static void alert(void) {
    if (blink) { //~ ERROR [repeated-input] whether `events` is written
        show(2);
        events = events + 1; //~ ERROR [war] `events`
    }
}

int main(void) {
    brownout_checkpoint();
    int temperature = read_temperature();
    if (temperature < 40) { //~ ERROR [repeated-input] whether `blink` and `steady` are written
        steady = 1;
    } else {
        blink = 1;
    }
    show(steady);
    alert();
    return 0;
}
