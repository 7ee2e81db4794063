//! A line is searched for a separator; what comes after it is stored.
//@ args: --static
//@ config: [[input]]
//@ config: function = "uart_line"
//@ config: fills = "arg0"
//@ config: length = "16"
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
    mode = separator ? separator[1] : 0;
    return 0;
}
