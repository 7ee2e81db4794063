//! A number is kept in one round and its complement in the next one, and boots insist that they fit: power must not fail in
//! between, which is a quiet moment.
//@ restart: harm
#include <assert.h>
#include <brownout.h>

BROWNOUT_NV volatile unsigned number, complement = ~0u;

int main(void) {
    unsigned now = number;
    int is_kept = 1;
    assert(complement == (unsigned)~now);
    for (;;) {
        if (is_kept) {
            now = now + 1;
            number = now;           //~ restart: crash
            is_kept = 0;
        } else {
            complement = ~now;
            is_kept = 1;
        }
    }
}
