//! The twin of `length_in_place`: the second loop goes as far as another length says.
//@ verdict: unknown
//@ reason: not repeatable
#include <brownout.h>
BROWNOUT_NV unsigned char buffer[128];
BROWNOUT_NV unsigned length, other;
unsigned char receive(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    unsigned count = length, changed = other;
    for (unsigned i = 0; i < count; i++)
        buffer[i] = receive();
    for (unsigned i = 0; i < changed; i++)
        buffer[i] = 255 - buffer[i];
    brownout_checkpoint();
    return 0;
}
