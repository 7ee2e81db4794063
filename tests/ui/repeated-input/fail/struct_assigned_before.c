//! A structure is reset as a whole, but only before the checkpoint.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

struct contact {
    int id;
    int strength;
    unsigned char seen[4];
};

static const struct contact nobody = {-1, 0, {0}};
struct contact nearest;

int main(void) {
    nearest = nobody;
    brownout_checkpoint();
    int strength = receive();
    if (strength > 20) { //~ ERROR [repeated-input] whether `nearest.id`, `nearest.seen[1]` and `nearest.strength` are written
        nearest.id = 3;
        nearest.strength = strength;
        nearest.seen[1] = 1;
    }
    return 0;
}
