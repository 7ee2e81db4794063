//! A message from the radio starts or stops the pump; an unknown one sets an error that a restart with another message keeps.
//@ args: --static
#include <brownout.h>

enum message { START, STOP };

enum message receive(void) BROWNOUT_INPUT;

int running;
int error;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        switch (receive()) { //~ ERROR [repeated-input] whether `error` and `running` are written
        case START:
            running = 1;
            break;
        case STOP:
            running = 0;
            break;
        default:
            error = 1;
            break;
        }
    }
}
