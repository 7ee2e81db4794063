//! Others find a variable of this file through a structure that they know.
//@ args: --static --restart-at input
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
static int hot;
struct device { const char *name; int *data; };
struct device device = { "probe", &hot };

void capture(void) {
    if (sense() > 5) //~ ERROR [repeated-input] `hot`
        hot = 1;
}
