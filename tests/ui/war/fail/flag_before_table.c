//! A table counts as filled before it is: a reboot in between goes on with what is not there. The loop
//! that fills it is not around the flag, and is no moment that excuses it.
#include <brownout.h>

BROWNOUT_NV volatile unsigned filled, table[4], out;

int main(void) {
    if (filled != 0xC0DE) {
        filled = 0xC0DE; //~ ERROR [war] `filled` is overwritten, and a reboot right after it reads what does not fit; confirmed
        for (int i = 0; i < 4; i++)
            table[i] = 100 + i;
    }
    for (;;)
        out = table[0] + table[3];
}
