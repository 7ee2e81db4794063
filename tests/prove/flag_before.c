//! A flag that is the same before every checkpoint decides that nothing is counted.
//@ verdict: proved
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
    record.last = 2;
    brownout_checkpoint();
    return 0;
}
