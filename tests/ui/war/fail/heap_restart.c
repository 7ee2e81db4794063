//! Two counters on a heap that survives power failures: a reboot between them leaves them apart for ever. What a
//! failure inside `calloc` does is a note, because the allocator of the device may survive it.
//@ nv: globals,heap
//@ policy: restart
#include <stdlib.h>

struct counts {
    int received;
    int answered;
};

struct counts *counts;
int missing;

int main(void) {
    if (counts == NULL)
        counts = calloc(1, sizeof *counts); //~ NOTE [heap-leak] does not survive; crash bad-access
    counts->received++; //~ ERROR [war] heap; `missing` = 1 instead of 0
    counts->answered++;
    missing = counts->received - counts->answered;
    return 0;
}
