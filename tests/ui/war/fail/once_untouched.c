//! A serial number is given once. The flag comes first, so a failure between the two writes leaves a device
//! without a number for good, although nothing in this loop looks at it again.
#include <brownout.h>

BROWNOUT_NV unsigned char initialised;
BROWNOUT_NV unsigned serial, hours;

int main(void) {
    if (!initialised) {
        initialised = 1; //~ ERROR [war] `initialised` is overwritten
        serial = 4711;
    }
    for (;;)
        hours++;
}
