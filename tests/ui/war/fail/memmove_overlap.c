//! A `memmove` reads and overwrites the same bytes.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>
#include <string.h>

int window[4] = {1, 2, 3, 4};

int main(void) {
    brownout_checkpoint();
    memmove(window, window + 1, 3 * sizeof window[0]); //~ ERROR [war] `window[1..3]`; confirmed
    return 0;
}
