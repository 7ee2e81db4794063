//! Whatever the sensor says decides: nothing of the first attempt is left.
//@ static fresh: harmless
//@ static: harmless
//@ input sense: 10 3 2 12 4 1 0
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

void siren(int on) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int alarm;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (sense() > 5)
            alarm = 1;
        else
            alarm = 0;
        siren(alarm);
    }
}
