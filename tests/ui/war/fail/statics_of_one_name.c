//! Two functions have a static variable of one name. A comment allows what is found of the first, and says nothing of
//! the second, which a reading that does not come by itself shows.
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
    int before = n; //~ NOTE [war] read here
    n = before + 2; //~ ERROR [war] `n` may be read, then overwritten before the next checkpoint; confirmed
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
