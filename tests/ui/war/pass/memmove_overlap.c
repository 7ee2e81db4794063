//! The array is saved.
#include <brownout.h>
#include <string.h>

int window[4] = {1, 2, 3, 4};

int main(void) {
    brownout_checkpoint_with(window, sizeof window);
    memmove(window, window + 1, 3 * sizeof window[0]);
    return 0;
}
