//! An undo log that is given up before it is undone: a second power failure, during recovery, leaves half of it.
//@ policy: restart
__attribute__((section(".nv"))) volatile int from = 100, to, old_from, old_to;
__attribute__((section(".nv"))) volatile unsigned char active;

int main(void) {
    if (active) {
        active = 0; //~ ERROR [war] `active`
        from = old_from; //~ ERROR [war] `from`
        to = old_to;
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
