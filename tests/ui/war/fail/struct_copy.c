//! Swapping two structures: each is read by one copy and written by the next.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>

struct point {
    int x, y;
};
struct point a = {1, 2}, b = {3, 4};

int main(void) {
    struct point t;
    brownout_checkpoint();
    t = a; //~ NOTE [war] read here
    a = b; //~ ERROR [war] `a`; `b.x` = 3 instead of 1; `b.y` = 4 instead of 2
    //~^ NOTE [war] read here
    b = t; //~ ERROR [war] `b`; `a.x` = 1 instead of 3; `a.y` = 2 instead of 4
    return 0;
}
