//! A command comes letter by letter over a serial line.
//@ args: --static
#include <brownout.h>

int uart_letter(void) BROWNOUT_INPUT;

int valve;

static int is_same(const char *one, const char *other) {
    while (*one && *one == *other) {
        one++;
        other++;
    }
    return *one == *other;
}

int main(void) {
    char line[12];
    brownout_checkpoint();
    int length = 0;
    while (length < 11) {
        int letter = uart_letter();
        if (letter == '\n') {
            break;
        }
        line[length++] = letter;
    }
    line[length] = 0;
    if (is_same(line, "open")) { //~ ERROR [repeated-input] whether `valve` is written
        valve = 1;
    }
    return 0;
}
