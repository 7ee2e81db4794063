//! One half of an array is read, the other is written: only arithmetic tells.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV unsigned char a[8];
BROWNOUT_NV unsigned char n;
int main(void) {
    brownout_checkpoint();
    unsigned char k = n & 3;
    a[k + 4] = a[k] + 1;
    brownout_checkpoint();
    return 0;
}
