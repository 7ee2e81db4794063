//! A number is kept in one round and its complement in the next one, and boots insist that they fit: power must not fail in
//! between, which is a quiet moment.
//@ restart: harm
#include <assert.h>
#include <brownout.h>

BROWNOUT_NV volatile unsigned number, complement = ~0u;
volatile int is_kept = 1;

int main(void) {
    assert(complement == (unsigned)~number);
    for (;;) {
        if (is_kept) {
            number = number + 1;    //~ restart: crash
            is_kept = 0;
        } else {
            complement = ~number;
            is_kept = 1;
        }
    }
}
