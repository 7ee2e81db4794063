// A driver fills what the device has of its caller's buffer, and what a longer attempt left after it stays.
#include <brownout.h>
#include <string.h>

int bus_read(int reg) BROWNOUT_INPUT;

int fifo_drain(int *out)
{
    int n = bus_read(1) & 7;
    memset(out, 0, 4 * sizeof *out);
    for (int i = 0; i < n; i++) //~ ERROR [repeated-input] `out[4]`
        out[i] = bus_read(2);
    return n;
}
