//! Temperatures: the mean of the last ones, the extremes, and an alarm that stays on.
#include <brownout.h>
int temperature(void) BROWNOUT_INPUT;
void led(int on) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV struct {
    short lowest, highest, last;
} seen;
BROWNOUT_NV short history[8];
BROWNOUT_NV unsigned char next, flags;
int main(void) {
    for (;;) {
        brownout_checkpoint();
        seen.last = temperature();
        history[next & 7] = seen.last;
        brownout_checkpoint();
        if (seen.last < seen.lowest)
            seen.lowest = seen.last;
        if (seen.last > seen.highest)
            seen.highest = seen.last;
        short sum = 0;
        for (unsigned char i = 0; i < 8; i++)
            sum += history[i];
        if (sum > 8 * 60)
            flags |= 1;
        led(flags & 1);
        next = next + 1;
    }
}
