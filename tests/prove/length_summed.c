//! A message is received and summed up, as far as its length goes, by functions that are given the buffer.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV unsigned short buffer[100];
BROWNOUT_NV int length;
BROWNOUT_NV unsigned sum;
unsigned short receive(void) BROWNOUT_INPUT;

static void fill(unsigned short *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = receive();
}

static unsigned add(const unsigned short *from, int count)
{
    unsigned total = 0;
    for (int i = 0; i < count; i++)
        total += from[i];
    return total;
}

int main(void)
{
    brownout_checkpoint();
    int count = length;
    fill(buffer, count);
    sum = add(buffer, count);
    brownout_checkpoint();
    return 0;
}
