//! A buffer is filled and changed in place, as far as a length goes that nobody knows.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV unsigned char buffer[128];
BROWNOUT_NV unsigned length;
unsigned char receive(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    unsigned count = length;
    for (unsigned i = 0; i < count; i++)
        buffer[i] = receive();
    for (unsigned i = 0; i < count; i++)
        buffer[i] = 255 - buffer[i];
    brownout_checkpoint();
    return 0;
}
