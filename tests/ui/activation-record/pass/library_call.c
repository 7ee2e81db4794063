//! A checkpoint before the library is called.
//@ nv: stack
#include <brownout.h>
#include <string.h>

const char *text = "12";
int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
}

int main(void) {
    sample();
    brownout_checkpoint();
    out = (int)strlen(text);
    return 0;
}
