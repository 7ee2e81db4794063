//! A flag that the region itself sets says nothing: after a power failure it is set.
//@ verdict: counterexample
//@ finding: war counting
#include <brownout.h>
struct record { int first, count, last; };
BROWNOUT_NV struct record record;
BROWNOUT_NV int counting;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    counting = 0;
    brownout_checkpoint();
    record.first = sense();
    if (counting)
        record.count = record.count + 1;
    counting = 1;
    brownout_checkpoint();
    return 0;
}
