//! OOPSLA'19 Fig. 6: every attempt starts by giving both variables their initial values.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

int x;
int y;

int main(void) {
    brownout_checkpoint();
    x = 0;
    y = 0;
    int level = sense();
    if (level > 5) {
        x = 1;
        y = 2;
    }
    return x + y;
}
