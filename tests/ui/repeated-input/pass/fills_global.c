//! An input fills a buffer in non-volatile memory as a whole; nothing else is written.
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
    large = id[2] > 20;
    return 0;
}
