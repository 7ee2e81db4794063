//! The length that was received says where the end mark goes.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_read"
#include <brownout.h>
#include <string.h>

int uart_read(void);

char line[16];

int main(void) {
    brownout_checkpoint();
    int length = uart_read() & 15;
    line[length] = '\n'; //~ ERROR [tainted-address] where in `line` is written
    return 0;
}
