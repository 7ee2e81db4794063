//! The variable is written whatever the input says.
//@ args: --static --restart-at input
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
static int hot;
struct device { const char *name; int *data; };
struct device device = { "probe", &hot };

void capture(void) {
    int value = sense();
    if (value > 5)
        hot = 1;
    else
        hot = 0;
}
