//! A failed transfer leaves through `longjmp`; what may be stored is stored before too.
//@ args: --static
#include <brownout.h>
#include <setjmp.h>

int bus_fails(void) BROWNOUT_INPUT;

jmp_buf recovery;
int stored;
int done;

static void transfer(void) {
    if (bus_fails()) {
        longjmp(recovery, 1);
    }
}

int main(void) {
    brownout_checkpoint();
    stored = 0;
    if (setjmp(recovery) == 0) {
        transfer();
        stored = 1;
    }
    done = 1;
    return 0;
}
