//! The counter is volatile: a reboot initialises it.
//@ policy: static
//@ nv: globals,!symbol:runs
int runs;
int ready;

int main(void) {
    runs = runs + 1;
    ready = 1;
    return 0;
}
