//! The records of library functions are records, too.
//@ nv: stack
#include <brownout.h>
#include <string.h>

const char *text = "12";
int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

int main(void) {
    sample();
    out = (int)strlen(text); //~ ERROR [activation-record] `return address of sample`; crash wild-jump
    return 0;
}
