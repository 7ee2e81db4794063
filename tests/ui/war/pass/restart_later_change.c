//! There is one account, and it is changed by one store.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned char age, full = 100;

int main(void) {
    unsigned char moved;
    age = age + (age < 4);
    moved = age >> 2;
    full = full - moved;
    return 0;
}
