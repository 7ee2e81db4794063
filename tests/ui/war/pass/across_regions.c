//! Two halves of a double buffer: each region reads one and writes the other.
#include <brownout.h>

int values[2] = {1, 1};

int main(void) {
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint();
        values[(i + 1) % 2] = values[i % 2] * 2;
    }
    return 0;
}
