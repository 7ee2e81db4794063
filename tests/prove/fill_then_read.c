//! A loop overwrites the whole buffer before anything reads it.
//@ verdict: proved
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int buffer[16];
BROWNOUT_NV int sum;
int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 16; i++) buffer[i] = sense();
    int total = 0;
    for (int i = 0; i < 16; i++) total += buffer[i];
    sum = total;
    brownout_checkpoint();
    return 0;
}
