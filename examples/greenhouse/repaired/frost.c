/* The frost guard: how the last night was, said completely in either case. */
#include "greenhouse.h"

int frosty, mild;

void guard(void) {
    if (read_frost() < 3) {
        frosty = 1;
        mild = 0;
    } else {
        frosty = 0;
        mild = 1;
    }
}
