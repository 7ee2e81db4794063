//! A program that halts in a loop that does nothing has come to its end.
//@ verdict: proved
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int last;
int main(void) {
    last = sense();
    for (;;)
        ;
}
