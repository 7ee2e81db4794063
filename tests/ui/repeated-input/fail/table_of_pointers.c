//! Each side writes through a table of pointers, at an index that is not known.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int left, right;
int index;
static int *const lamps[2] = {&left, &right};

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `left` and `right` are written
        *lamps[index & 1] = 1;
    }
    return 0;
}
