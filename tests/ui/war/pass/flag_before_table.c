//! A table counts as filled when it is. The flag looks as if power had failed at the entry, or where the
//! main loop begins.
#include <brownout.h>

BROWNOUT_NV volatile unsigned filled, table[4], out;

int main(void) {
    if (filled != 0xC0DE) {
        for (int i = 0; i < 4; i++)
            table[i] = 100 + i;
        filled = 0xC0DE;
    }
    for (;;)
        out = table[0] + table[3];
}
