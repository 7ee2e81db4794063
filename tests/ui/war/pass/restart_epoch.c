//! An epoch is what the ticks say: it is made of them whenever it is shown.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned tick, epoch;

int main(void) {
    for (;;) {
        tick = tick == 29999 ? 0 : tick + 1;
        epoch = tick / 300;
    }
}
