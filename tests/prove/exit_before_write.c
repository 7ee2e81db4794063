//! An attempt that goes on where another one ends early leaves what it wrote.
//@ verdict: counterexample
#include <brownout.h>
#include <stdlib.h>
BROWNOUT_NV int result;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    if (sense() > 100)
        exit(3);
    result = 1;
    brownout_checkpoint();
    return 0;
}
