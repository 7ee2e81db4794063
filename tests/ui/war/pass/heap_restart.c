//! The second counter is made from the first.
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
    counts->received++;
    counts->answered = counts->received;
    missing = counts->received - counts->answered;
    return 0;
}
