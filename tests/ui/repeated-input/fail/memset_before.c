//! Half of a buffer is cleared before use.
//@ args: --static
#include <brownout.h>
#include <string.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[8];

int main(void) {
    brownout_checkpoint();
    memset(buffer, 0, 4);
    int word = receive();
    if (word > 0) { //~ ERROR [repeated-input] whether `buffer[4]` is written
        buffer[0] = (unsigned char)word;
        buffer[4] = (unsigned char)(word >> 8);
    }
    return 0;
}
