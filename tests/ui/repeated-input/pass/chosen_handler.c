//! The reading chooses a handler that is called after the next checkpoint.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int opened;
int closed;

static void open(void) {
    opened = 1;
}

static void close(void) {
    closed = 1;
}

static void (*handler)(void) = close;

int main(void) {
    brownout_checkpoint();
    handler = read_adc() > 7 ? open : close;
    brownout_checkpoint();
    handler();
    return 0;
}
