//! First sent, then noted: sent twice at worst.
#include <brownout.h>
#include <stdio.h>

int sent;

int main(void) {
    brownout_checkpoint();
    if (!sent) {
        puts("hello");
        brownout_checkpoint();
        sent = 1;
    }
    return 0;
}
