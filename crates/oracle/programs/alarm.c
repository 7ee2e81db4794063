//! The sensor says something else to the second attempt: the alarm of the first one stays.
//@ static fresh: harm
//@ static: harmless
//@ restart fresh: harmless
//@ input sense: 10 3 2 12 4 1 0
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

void siren(int on) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int alarm;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (sense() > 5)
            alarm = 1;    //~ static fresh: alarm, siren
        siren(alarm);
    }
}
