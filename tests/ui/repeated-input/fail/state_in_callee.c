//! A function remembers in a static variable that it was called under the branch, and tells another one.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static int requests;
int granted;

static void request(void) {
    requests = 1;
}

static void clear(void) {
    requests = 0;
}

static int requested(void) {
    return requests;
}

static void grant(void) {
    if (requested()) { //~ ERROR [repeated-input] whether `granted` is written
        granted = 1;
    }
}

int main(void) {
    brownout_checkpoint();
    clear();
    if (read_adc() > 7) {
        request();
    }
    grant();
    return 0;
}
