//! A buffer is cleared before use.
//@ args: --static
#include <brownout.h>
#include <string.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[8];

int main(void) {
    brownout_checkpoint();
    memset(buffer, 0, sizeof buffer);
    int word = receive();
    if (word > 0) {
        buffer[0] = (unsigned char)word;
        buffer[4] = (unsigned char)(word >> 8);
    }
    return 0;
}
