//! Wear levelling: every attempt takes the next page. Which one it is does not matter to anybody.
//@ static: harmless
//@ ignore: page current
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int page[4], current;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = (current + 1) & 3;
        page[next] = 10 + i;
        current = next;
        brownout_checkpoint();
        send(page[current]);
    }
    return 0;
}
