//! In the first boots nothing is moved; from the fourth on, what is taken from one account may not come to the other.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned char age, full = 100, empty;

int main(void) {
    unsigned char moved;
    age = age + (age < 4);
    moved = age >> 2;
    full = full - moved; //~ ERROR [war] `full`
    empty = empty + moved;
    return 0;
}
