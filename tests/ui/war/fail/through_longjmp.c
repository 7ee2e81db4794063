//! The write comes after a `longjmp` out of the function that reads.
#include <brownout.h>
#include <setjmp.h>

static jmp_buf again;
int level = 3;
int seen;

static void work(void) {
    seen = level; //~ NOTE [war] read here
    longjmp(again, 1);
}

int main(void) {
    brownout_checkpoint();
    if (setjmp(again) == 0)
        work();
    level = 9; //~ ERROR [war] `level`; `seen` = 9 instead of 3
    return 0;
}
