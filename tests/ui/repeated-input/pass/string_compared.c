//! A line from the serial port is compared with a command; the result is stored.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_line"
//@ config: fills = "arg0"
//@ config: length = "16"
#include <brownout.h>
#include <string.h>

void uart_line(char *to);

int enabled;

int main(void) {
    char line[16];
    brownout_checkpoint();
    uart_line(line);
    enabled = strcmp(line, "on") == 0;
    return 0;
}
