//! A checkpoint before each copy that destroys what an earlier one read.
#include <brownout.h>

struct point {
    int x, y;
};
struct point a = {1, 2}, b = {3, 4};

int main(void) {
    struct point t;
    brownout_checkpoint();
    t = a;
    brownout_checkpoint();
    a = b;
    brownout_checkpoint();
    b = t;
    return 0;
}
