//! The function is left by `longjmp`: nobody uses its return address.
//@ nv: stack
#include <brownout.h>
#include <setjmp.h>

static jmp_buf out_of_it;
int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
    longjmp(out_of_it, 1);
}

static void other(void) {
    out = 2;
}

int main(void) {
    if (setjmp(out_of_it) == 0)
        sample();
    other();
    return 0;
}
