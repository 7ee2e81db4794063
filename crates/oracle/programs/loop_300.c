//! 300 entries, filled by and by: a second attempt does not begin again.
//@ static: harmless
//@ restart: harmless
#include <brownout.h>

BROWNOUT_NV int last, n;

int main(void) {
    brownout_checkpoint();
    while (n < 300) {
        last = n;
        n = n + 1;
    }
    return 0;
}
