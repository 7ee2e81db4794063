//! Without being told so, the tool takes the other page for a difference.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int page[4], current;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = (current + 1) & 3;
        page[next] = 10 + i;
        current = next;                 //~ static: current, page
        brownout_checkpoint();
        send(page[current]);
    }
    return 0;
}
