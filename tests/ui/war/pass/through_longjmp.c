//! A checkpoint behind the jump.
#include <brownout.h>
#include <setjmp.h>

static jmp_buf again;
int level = 3;
int seen;

static void work(void) {
    seen = level;
    longjmp(again, 1);
}

int main(void) {
    brownout_checkpoint();
    if (setjmp(again) == 0)
        work();
    brownout_checkpoint();
    level = 9;
    return 0;
}
