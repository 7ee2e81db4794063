//! An input fills two bytes in the middle of a buffer; a byte behind them decides.
//@ args: --static
//@ config: [[input]]
//@ config: function = "spi_read"
//@ config: fills = "arg0"
//@ config: length = "arg1"
#include <brownout.h>

void spi_read(unsigned char *to, int bytes);

unsigned char version;
int alarm;

int main(void) {
    unsigned char frame[6] = {0};
    brownout_checkpoint();
    frame[4] = version;
    spi_read(frame + 2, 2);
    if (frame[4] > 7) {
        alarm = 1;
    }
    return 0;
}
