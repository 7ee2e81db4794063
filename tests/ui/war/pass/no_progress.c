//! The start is saved.
#include <brownout.h>

int start = 4;
int steps;

int main(void) {
    brownout_checkpoint_with(&start, sizeof start);
    int i = start;
    start = 5;
    int n = 0;
    while (i != 10) {
        i += 2;
        n++;
    }
    steps = n;
    return 0;
}
