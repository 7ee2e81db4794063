//! A serial number is given once, and the flag comes last.
#include <brownout.h>

BROWNOUT_NV unsigned char initialised;
BROWNOUT_NV unsigned serial, hours;

int main(void) {
    if (!initialised) {
        serial = 4711;
        initialised = 1;
    }
    for (;;)
        hours++;
}
