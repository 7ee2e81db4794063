//! The buffer becomes the current one before it is written.
//@ restart: harm
#include <brownout.h>

BROWNOUT_NV volatile int buffer[2], active;

int main(void) {
    for (;;) {
        int count = buffer[active];
        active = active ^ 1;            //~ restart: buffer
        buffer[active] = count + 1;
    }
}
