//! Both are saved.
#include <brownout.h>

int hits = 10, misses = 20;

static void bump(int *p) {
    *p = *p + 1;
}

int main(void) {
    brownout_checkpoint_with(&hits, sizeof hits, &misses, sizeof misses);
    bump(&hits);
    bump(&misses);
    return 0;
}
