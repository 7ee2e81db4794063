//! Where nothing calls `atexit`, `exit` is just the end of the program.
//@ verdict: proved
#include <brownout.h>
#include <stdlib.h>
BROWNOUT_NV int started, flags;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    started = 1;
    flags |= 4;
    if (sense() > 100)
        exit(3);
    brownout_checkpoint();
    return 0;
}
