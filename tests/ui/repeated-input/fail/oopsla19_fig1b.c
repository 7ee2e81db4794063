//! OOPSLA'19 Fig. 1(b): one attempt finds the temperature fine, the next raises the alarm, and both flags stay set.
//@ args: --static
#include <assert.h>
#include <brownout.h>

int read_temperature(void) BROWNOUT_INPUT;

int a_ok;
int alarm;

int main(void) {
    brownout_checkpoint();
    int temperature = read_temperature();
    if (temperature < 30) { //~ ERROR [repeated-input] whether `a_ok` and `alarm` are written
        a_ok = 1;
    } else {
        alarm = 1;
    }
    assert(a_ok != alarm);
    return 0;
}
