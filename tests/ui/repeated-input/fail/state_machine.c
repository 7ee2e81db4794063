//! A state machine whose next state and output depend on a button; the output is only written where it changes.
//@ args: --static
#include <brownout.h>

int button(void) BROWNOUT_INPUT;

enum state { OFF, ON, HELD };
enum state state;
enum state next;
int lamp;

static void step(void) {
    int pressed = button();
    switch (state) {
    case OFF:
        if (pressed) { //~ ERROR [repeated-input] whether `lamp` is written
            next = ON;
            lamp = 1;
        } else {
            next = OFF;
        }
        break;
    case ON:
        next = pressed ? HELD : ON;
        break;
    case HELD:
        if (pressed) { //~ ERROR [repeated-input] whether `lamp` and `next` are written
            next = HELD;
        } else {
            lamp = 0;
        }
        break;
    }
}

int main(void) {
    for (;;) {
        brownout_checkpoint();
        step();
        brownout_checkpoint();
        state = next;
    }
}
