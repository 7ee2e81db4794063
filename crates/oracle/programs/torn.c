//! A counter of 32 bits on a machine that writes 16 at once.
//@ restart: harm
//@ atomic-write: 2
#include <brownout.h>

BROWNOUT_NV volatile unsigned long count = 0xfffe;

int main(void) {
    for (;;)
        count = count + 1;    //~ restart: torn count
}
