//! The reading says which byte of a map gets a bit; the map is read and written in place.
//@ args: --static
#include <brownout.h>
#include <string.h>

unsigned int receive(void) BROWNOUT_INPUT;

unsigned char map[8];

int main(void) {
    brownout_checkpoint();
    unsigned int place = receive() & 63;
    map[place / 8] |= (unsigned char)(1 << place % 8); //~ ERROR [tainted-address] where in `map` is written
    //~| ERROR [war] `map`
    return 0;
}
