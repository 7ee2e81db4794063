//! The length that was received says where the end mark goes, in a buffer that was cleared.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_read"
#include <brownout.h>
#include <string.h>

int uart_read(void);

char line[16];

int main(void) {
    brownout_checkpoint();
    memset(line, 0, sizeof line);
    int length = uart_read() & 15;
    line[length] = '\n';
    return 0;
}
