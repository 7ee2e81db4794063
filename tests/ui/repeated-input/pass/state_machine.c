//! A state machine whose next state and output depend on a button; every transition writes both.
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
        if (pressed) {
            next = ON;
            lamp = 1;
        } else {
            next = OFF;
            lamp = 0;
        }
        break;
    case ON:
        next = pressed ? HELD : ON;
        break;
    case HELD:
        if (pressed) {
            next = HELD;
            lamp = 1;
        } else {
            next = OFF;
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
