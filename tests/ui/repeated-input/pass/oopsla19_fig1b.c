//! OOPSLA'19 Fig. 1(b), repaired: every attempt writes both flags, whatever the sensor says.
//@ args: --static
#include <assert.h>
#include <brownout.h>

int read_temperature(void) BROWNOUT_INPUT;

int a_ok;
int alarm;

int main(void) {
    brownout_checkpoint();
    int temperature = read_temperature();
    if (temperature < 30) {
        a_ok = 1;
        alarm = 0;
    } else {
        a_ok = 0;
        alarm = 1;
    }
    assert(a_ok != alarm);
    return 0;
}
