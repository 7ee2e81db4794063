//! A line from the serial port is compared with a command.
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
    if (strcmp(line, "on") == 0) { //~ ERROR [repeated-input] whether `enabled` is written
        enabled = 1;
    }
    return 0;
}
