//! Every level of the recursion adds to a total in NVM: one defect.
#include <brownout.h>

int total;

static void add(int depth) {
    if (depth == 0)
        return;
    total = total + depth; //~ ERROR [war] `total`; `total` = 9 instead of 6
    add(depth - 1);
}

int main(void) {
    brownout_checkpoint();
    add(3);
    return 0;
}
