//! The same, with both variables written on every side.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
enum kind { CONNECTED = 13, BONDED = 16 };
struct event { enum kind kind; int code; };
static char bonded, pending;

void on_event(const struct event *event) {
    switch (event->kind) {
    case BONDED: {
        int sign = sense() & 1;
        bonded = sign;
        pending = !sign;
        break;
    }
    default:
        break;
    }
}

int state(void) {
    return bonded - pending;
}
