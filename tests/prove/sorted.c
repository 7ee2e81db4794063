//! Sorting in place what the checkpoint saves; the functions of the library around it do not matter.
//@ verdict: proved
#include <brownout.h>
#include <stdlib.h>
BROWNOUT_NV int readings[8], median;
int sense(void) BROWNOUT_INPUT;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    brownout_checkpoint();
    for (int i = 0; i < 8; i++)
        readings[i] = sense();
    brownout_checkpoint_with(readings, sizeof readings);
    qsort(readings, 8, sizeof readings[0], compare);
    brownout_checkpoint();
    median = readings[4];
    return 0;
}
