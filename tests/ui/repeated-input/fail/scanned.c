//! A number is scanned from a line that comes from outside.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_line"
//@ config: fills = "arg0"
//@ config: length = "16"
#include <brownout.h>
#include <stdio.h>

void uart_line(char *to);

char setting[16];
int fast;
char first;

int main(void) {
    char line[16];
    int rate = 0;
    brownout_checkpoint();
    uart_line(line);
    first = line[0];
    sscanf(line, "%d", &rate);
    if (rate > 100) { //~ ERROR [repeated-input] whether `fast` is written
        fast = 1;
    }
    return 0;
}
