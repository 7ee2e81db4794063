//! A reading is sent; after a failure the next one is. The list of values goes on meanwhile.
//@ static fresh: harmless
//@ static: harmless
//@ restart fresh: harmless
//@ input sense: 21 22 40 18 33 27 19 44
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int last;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int value = sense();
        send(value);
        last = value;
    }
    return 0;
}
