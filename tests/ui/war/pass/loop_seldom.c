//! A main loop without end that does something only every hundredth round, and commits before it writes.
#include <brownout.h>

BROWNOUT_NV int rounds;
BROWNOUT_NV int total;
int tick;

int main(void) {
    while (1) {
        brownout_checkpoint();
        if (++tick == 100) {
            tick = 0;
            int next = total + 1;
            brownout_checkpoint();
            total = next;
        }
        rounds = tick;
    }
}
