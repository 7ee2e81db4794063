//! A pulse in each boot, whatever is read after it: one that is counted and never made is lost, although the next boot makes
//! another one.
//@ restart: harm
//@ input answer: 0 1 1 0 1 0 0 1 1 0 0 1 0 1 1
#include <brownout.h>

int answer(void) BROWNOUT_INPUT;
void pulse(void) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile unsigned count, heard;

int main(void) {
    count = count + 1;      //~ restart: pulse
    pulse();
    heard = answer();
    return 0;
}
