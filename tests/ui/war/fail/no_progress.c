//! The loop that counts to ten in steps of two never ends when it starts from an odd number.
#include <brownout.h>

int start = 4;
int steps;

int main(void) {
    brownout_checkpoint();
    int i = start; //~ NOTE [war] read here
    start = 5; //~ ERROR [war] `start`; no-progress
    int n = 0;
    while (i != 10) {
        i += 2;
        n++;
    }
    steps = n;
    return 0;
}
