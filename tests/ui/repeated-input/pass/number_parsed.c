//! A number is parsed from what the serial port says, and stored.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_line"
//@ config: fills = "arg0"
//@ config: length = "16"
#include <brownout.h>
#include <stdlib.h>

void uart_line(char *to);

int period;

int main(void) {
    char line[16];
    brownout_checkpoint();
    uart_line(line);
    int wanted = atoi(line);
    period = wanted > 0 ? wanted : 1;
    return 0;
}
