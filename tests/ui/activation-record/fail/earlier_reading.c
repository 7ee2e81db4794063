//! A reading of an earlier region decides whether another call uses the memory of the one that was interrupted.
//@ nv: globals,stack
//@ config: [[input]]
//@ config: function = "mode"
//@ config: range = [0, 3]
#include <brownout.h>

int mode(void) BROWNOUT_INPUT;
int sum, twice;

__attribute__((noinline)) static int twofold(int x) {
    volatile int parts[4];
    parts[0] = x;
    parts[1] = x; //~ NOTE [activation-record] `parts; benign
    return parts[0] + parts[1];
}

__attribute__((noinline)) static int summed(int x) {
    volatile int parts[4];
    parts[0] = x;
    parts[1] = 3;
    brownout_checkpoint();
    return parts[0] + parts[1];
}

int main(void) {
    int chosen = mode();
    sum = summed(chosen);
    if (chosen == 2)
        twice = twofold(chosen); //~ ERROR [activation-record] `return address of summed`
    brownout_checkpoint();
    return 0;
}
