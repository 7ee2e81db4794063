//! A call of one of two functions is beyond the proof; other inputs than those of the first execution show the harm.
//@ verdict: counterexample
//@ finding: war events
#include <brownout.h>
int kind(void) BROWNOUT_INPUT;
BROWNOUT_NV int events, last;
static void count(void) { events = events + 1; }
static void note(void) { last = 4; }
static void (*const handlers[2])(void) = {count, note};
int main(void) {
    int chosen = kind() & 1;
    brownout_checkpoint_with(&last, sizeof last);
    handlers[chosen]();
    brownout_checkpoint();
    return events + last;
}
