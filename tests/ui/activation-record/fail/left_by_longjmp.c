//! The function returns: its return address is used.
//@ nv: stack
#include <brownout.h>
#include <setjmp.h>

static jmp_buf out_of_it;
int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void other(void) {
    out = 2;
}

int main(void) {
    if (setjmp(out_of_it) == 0)
        sample();
    other(); //~ ERROR [activation-record] `return address of sample`; crash wild-jump
    return 0;
}
