//! The length that was received says how much is copied.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_fetch"
//@ config: fills = "arg0"
//@ config: length = "16"
#include <brownout.h>
#include <string.h>

int uart_fetch(char *to);

char line[16];

int main(void) {
    char raw[16];
    brownout_checkpoint();
    int length = uart_fetch(raw) & 15;
    memcpy(line, raw, length); //~ ERROR [tainted-address] where in `line` is written
    return 0;
}
