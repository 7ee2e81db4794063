//! A task ends with an assignment to the variable that names the current one; the reading decides in the task that takes it.
//@ args: --static
//@ config: [power]
//@ config: transition = ["current"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

enum task { SENSE, JUDGE };

enum task current;
int level;
int alarm;
int rounds;

static void sense(void) {
    level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    current = JUDGE;
    return;
}

static void judge(void) {
    rounds = level;
    current = SENSE;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        switch (current) {
        case SENSE:
            sense();
            break;
        case JUDGE:
            judge();
            break;
        }
    }
    return 0;
}
