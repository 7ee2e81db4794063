// A driver clears its caller's buffer, and fills what the device has of it: every attempt overwrites all of it.
#include <brownout.h>
#include <string.h>

int bus_read(int reg) BROWNOUT_INPUT;

int fifo_drain(int *out)
{
    int n = bus_read(1) & 7;
    memset(out, 0, 8 * sizeof *out);
    for (int i = 0; i < n; i++)
        out[i] = bus_read(2);
    return n;
}
