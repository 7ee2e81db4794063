//! One more byte is changed in place than was filled.
//@ verdict: counterexample
//@ finding: war buffer[3]
#include <brownout.h>
BROWNOUT_NV unsigned char buffer[128];
BROWNOUT_NV unsigned length = 3;
unsigned char receive(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    unsigned count = length;
    for (unsigned i = 0; i < count; i++)
        buffer[i] = receive();
    for (unsigned i = 0; i < count + 1; i++)
        buffer[i] = 255 - buffer[i];
    brownout_checkpoint();
    return 0;
}
