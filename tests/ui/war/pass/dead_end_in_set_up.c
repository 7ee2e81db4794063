//! The repair of `dead_end_in_set_up`: a boot that finds the two different completes what was cut, and gives up only if that
//! cannot be.
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
    if ((unsigned char)(other + 1) == reading[which]) {
        complement[which] = ~reading[which];
    } else if (other != reading[which]) {
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
            reading[0]++;
            is_half = 1;
        }
    }
}
