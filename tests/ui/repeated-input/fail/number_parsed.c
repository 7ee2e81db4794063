//! A number is parsed from what the serial port says.
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
    if (wanted > 0) { //~ ERROR [repeated-input] whether `period` is written
        period = wanted;
    }
    return 0;
}
