//! The reading is kept in a variable that only a getter reads: what the getter returns is the reading.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static int latest;
static int alarm;

static int level(void) {
    return latest;
}

void judge(void) {
    latest = read_adc();
    if (level() > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

int is_alarmed(void) {
    return alarm;
}
