//! What the getter returns was read before the function that is restarted: it is the same in every attempt.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static int latest;
static int alarm;

static int level(void) {
    return latest;
}

void sample(void) {
    latest = read_adc();
}

void judge(void) {
    if (level() > 7) {
        alarm = 1;
    }
}

int is_alarmed(void) {
    return alarm;
}
