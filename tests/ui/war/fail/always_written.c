//! All readings that the input gives make the branch write `level`; the first of them is what is there already.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [0, 1, 2]
#include <brownout.h>

int sense(void);
BROWNOUT_NV int level, before;

int main(void) {
    brownout_checkpoint();
    int reading = sense();
    before = level;
    if (reading < 5)
        level = reading; //~ ERROR [war] `level`
    brownout_checkpoint();
    return 0;
}
