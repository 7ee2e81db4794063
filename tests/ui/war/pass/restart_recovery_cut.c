//! An undo log that is given up when it is undone: recovery is done again if power fails during it. Boots are counted
//! as they should be.
//@ policy: restart
__attribute__((section(".nv"))) volatile int from = 100, to, old_from, old_to;
__attribute__((section(".nv"))) volatile unsigned char active;
__attribute__((section(".nv"))) volatile unsigned boots;

int main(void) {
    boots++;
    if (active) {
        from = old_from;
        to = old_to;
        active = 0;
    }
    for (;;) {
        old_from = from;
        old_to = to;
        active = 1;
        from--;
        to++;
        active = 0;
    }
}
