//! A handler is replaced under the branch, and called later; each handler writes both variables.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int opened;
int closed;

static void open(void) {
    opened = 1;
    closed = 0;
}

static void close(void) {
    closed = 1;
    opened = 0;
}

int main(void) {
    brownout_checkpoint();
    void (*handler)(void) = close;
    if (read_adc() > 7) {
        handler = open;
    }
    handler();
    return 0;
}
