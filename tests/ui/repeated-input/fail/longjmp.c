//! A failed transfer leaves through `longjmp`; what comes after it in the function is not stored then.
//@ args: --static
#include <brownout.h>
#include <setjmp.h>

int bus_fails(void) BROWNOUT_INPUT;

jmp_buf recovery;
int stored;
int done;

static void transfer(void) {
    if (bus_fails()) { //~ ERROR [repeated-input] whether `stored` is written
        longjmp(recovery, 1);
    }
}

int main(void) {
    brownout_checkpoint();
    if (setjmp(recovery) == 0) {
        transfer();
        stored = 1;
    }
    done = 1;
    return 0;
}
