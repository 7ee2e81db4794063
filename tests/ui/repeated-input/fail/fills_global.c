//! An input fills a buffer in non-volatile memory as a whole, and the buffer decides.
//@ args: --static
//@ config: [[input]]
//@ config: function = "flash_id"
//@ config: fills = "arg0"
//@ config: length = "3"
#include <brownout.h>

void flash_id(unsigned char *to);

unsigned char id[3];
int large;

int main(void) {
    brownout_checkpoint();
    flash_id(id);
    if (id[2] > 20) { //~ ERROR [repeated-input] whether `large` is written
        large = 1;
    }
    return 0;
}
