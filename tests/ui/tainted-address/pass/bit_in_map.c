//! The reading says which byte of a map gets a bit, in a map that every attempt starts anew.
//@ args: --static
#include <brownout.h>
#include <string.h>

unsigned int receive(void) BROWNOUT_INPUT;

unsigned char map[8];

int main(void) {
    brownout_checkpoint();
    memset(map, 0, sizeof map);
    unsigned int place = receive() & 63;
    map[place / 8] |= (unsigned char)(1 << place % 8);
    return 0;
}
