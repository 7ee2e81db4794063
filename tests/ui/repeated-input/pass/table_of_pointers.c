//! Each side writes through a table of pointers, at an index that is known.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int left, right;
int index;
static int *const lamps[2] = {&left, &right};

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) {
        *lamps[1] = 1;
    } else {
        *lamps[1] = 0;
    }
    return 0;
}
