//! The log is declared valid before it holds anything: recovery takes back to values of long ago.
//@ restart: harm
#include <brownout.h>

BROWNOUT_NV volatile int a = 50, b = 0, old_a = 7, old_b = 7, valid;

int main(void) {
    if (valid) {
        a = old_a;
        b = old_b;
        valid = 0;
    }
    for (;;) {
        valid = 1;     //~ restart: a, b
        old_a = a;
        old_b = b;
        a = a - 1;
        b = b + 1;
        valid = 0;
    }
}
