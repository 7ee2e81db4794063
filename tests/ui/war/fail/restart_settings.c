//! Settings with a checksum, changed in place: a failure in between makes the boot forget what the user had set. The first
//! change is one from the default, where that looks as if nothing had happened.
//@ policy: restart
#include <brownout.h>

unsigned char command(void) BROWNOUT_INPUT;
void configure(unsigned address) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV unsigned address, sum;

int main(void) {
    if (sum != (address ^ 0x55AA)) {
        address = 1;
        sum = address ^ 0x55AA;
    }
    configure(address);
    for (;;) {
        if (command() == 'A') {
            address = address % 200 + 1; //~ ERROR [war] `address`
            sum = address ^ 0x55AA;
            configure(address);
        }
    }
}
