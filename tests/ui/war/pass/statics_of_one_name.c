//! The same, with a checkpoint between the read and the write of the second.
//@ policy: static
//@ config: [memory]
//@ config: nonvolatile = ["globals"]
//@ config: [[input]]
//@ config: function = "sense"
//@ config: range = [0, 100]
#include <brownout.h>
#include <stdio.h>

int sense(void);

static void count(void) {
    static int n;
    n = n + 1; // brownout: allow(war) counts power failures, too
}

static void report(void) {
    static int n;
    int before = n;
    brownout_checkpoint();
    n = before + 2;
    printf("%d\n", before);
}

int main(void) {
    int value = sense();
    brownout_checkpoint();
    count();
    if (value == 77)
        report();
    brownout_checkpoint();
    return 0;
}
