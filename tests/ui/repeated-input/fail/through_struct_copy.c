//! A structure with the reading is copied, and a field of the copy decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct report {
    int kind;
    int value;
};

int kind;
struct report sent;
int urgent;

int main(void) {
    brownout_checkpoint();
    struct report report = {kind, read_adc()};
    struct report copy = report;
    sent = copy;
    if (sent.value > 9) { //~ ERROR [repeated-input] whether `urgent` is written
        urgent = 1;
    }
    return 0;
}
