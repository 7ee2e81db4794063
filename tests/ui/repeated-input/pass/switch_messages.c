//! A message from the radio starts or stops the pump; every case writes both variables.
//@ args: --static
#include <brownout.h>

enum message { START, STOP };

enum message receive(void) BROWNOUT_INPUT;

int running;
int error;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        switch (receive()) {
        case START:
            running = 1;
            error = 0;
            break;
        case STOP:
            running = 0;
            error = 0;
            break;
        default:
            running = 0;
            error = 1;
            break;
        }
    }
}
