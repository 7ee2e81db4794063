//! A command comes letter by letter over a serial line; every line says what the valve does.
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
    valve = is_same(line, "open");
    return 0;
}
