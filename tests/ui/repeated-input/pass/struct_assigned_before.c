//! A structure is reset as a whole by every attempt.
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
    brownout_checkpoint();
    nearest = nobody;
    int strength = receive();
    if (strength > 20) {
        nearest.id = 3;
        nearest.strength = strength;
        nearest.seen[1] = 1;
    }
    return 0;
}
