//! An epoch that goes on once in 300 rounds: a failure between the two writes leaves it behind for good, and it takes as many
//! rounds until anybody reads it again.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned tick, epoch;

int main(void) {
    for (;;) {
        if (tick == 299) {
            tick = 0; //~ ERROR [war] `tick`
            epoch++;
        } else {
            tick++;
        }
    }
}
