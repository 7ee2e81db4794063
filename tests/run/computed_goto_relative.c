//! Labels as values through a table of label differences.
#include <stdio.h>

static int rel(int k) {
    static const int off[] = {&&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0};
    int r = 0;
    goto *(&&l0 + off[k]);
l0: r += 1;
l1: r += 10;
l2: r += 100;
    return r;
}

int main(void) {
    for (int k = 0; k < 3; k++) printf("%d\n", rel(k));
    return 0;
}
