//! An event says what happens: its kind is chosen so that the branch on the input is reached.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
enum kind { CONNECTED = 13, BONDED = 16 };
struct event { enum kind kind; int code; };
static char bonded, pending;

void on_event(const struct event *event) {
    switch (event->kind) {
    case BONDED:
        if (sense() & 1) //~ ERROR [repeated-input] `bonded` and `pending`; confirmed
            bonded = 1;
        else
            pending = 1;
        break;
    default:
        break;
    }
}

int state(void) {
    return bonded - pending;
}
