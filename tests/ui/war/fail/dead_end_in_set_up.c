//! A reading and its complement are written in two rounds. A boot that finds them different never comes out of a function that
//! it calls in a loop of its set-up.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned char reading[2], complement[2] = {255, 255};
int pulse(void) BROWNOUT_INPUT_RANGE(0, 1);

static void give_up(void) {
    for (;;) {
    }
}

static void check(int which) {
    unsigned char other = ~complement[which];
    if (other != reading[which]) { //~ NOTE [war] read here
        give_up();
    }
}

int main(void) {
    int is_half = 0;
    for (int i = 0; i < 2; i++) {
        check(i);
    }
    for (;;) {
        if (is_half) {
            complement[0] = ~reading[0];
            is_half = 0;
        } else if (pulse()) {
            reading[0]++; //~ ERROR [war] `reading[0]`
            is_half = 1;
        }
    }
}
