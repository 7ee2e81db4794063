//! A counter of boots is harmless: a power failure at the end would count twice as well.
//@ verdict: unknown
//@ reason: `boots` can differ
#include <brownout.h>
BROWNOUT_NV int boots;
int main(void) {
    boots = boots + 1;
    return 0;
}
