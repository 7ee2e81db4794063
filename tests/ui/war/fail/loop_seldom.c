//! A main loop without end that does something only every hundredth round.
#include <brownout.h>

BROWNOUT_NV int rounds;
BROWNOUT_NV int total;
int tick;

int main(void) {
    while (1) {
        brownout_checkpoint();
        if (++tick == 100) {
            tick = 0;
            total = total + 1; //~ ERROR [war] `total`
                               //~^ NOTE [war] read here
        }
        rounds = tick;
    }
}
