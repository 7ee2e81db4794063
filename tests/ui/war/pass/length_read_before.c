//! What is looked at is filled in any case.
#include <brownout.h>

int length(void) BROWNOUT_INPUT;
BROWNOUT_NV int buffer[8];
BROWNOUT_NV int first;

int main(void) {
    int filled = length() & 7;
    brownout_checkpoint();
    buffer[0] = 1;
    for (int i = 1; i < filled; i++)
        buffer[i] = i + 1;
    first = buffer[0];
    buffer[0] = 9;
    brownout_checkpoint();
    return 0;
}
