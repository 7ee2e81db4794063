//! A line is searched for a separator; what comes after it decides.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_line"
//@ config: fills = "arg0"
//@ config: length = "16"
//@ possible: two letters that stand apart in the program have to come together
#include <brownout.h>
#include <string.h>

void uart_line(char *to);

char mode;

int main(void) {
    char line[16];
    brownout_checkpoint();
    uart_line(line);
    line[15] = 0;
    const char *separator = strchr(line, '=');
    if (separator && separator[1] == 'x') { //~ ERROR [repeated-input] whether `mode` is written
        mode = 'x';
    }
    return 0;
}
