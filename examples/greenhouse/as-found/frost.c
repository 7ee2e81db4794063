/* The frost guard: how the last night was, for the morning's report. */
#include "greenhouse.h"

int frosty, mild;

void guard(void) {
    if (read_frost() < 3)
        frosty = 1;
    else
        mild = 1;
}
