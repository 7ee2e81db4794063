//! A table that leaves the program takes its functions with it: whoever gets it may call them.
//@ args: --static
//@ config: ignore = ["kernel_register"]
//@ possible: nobody calls it in the execution
#include <brownout.h>

struct operations {
    void (*sample)(void);
};

int sense(void) BROWNOUT_INPUT;
void kernel_register(const struct operations *operations);
int started;

static int alarm;

static void sample(void) {
    if (sense() > 10) { //~ ERROR [repeated-input] `alarm`
        alarm = 1;
    }
}

static const struct operations operations = {sample};

int main(void) {
    brownout_checkpoint();
    kernel_register(&operations);
    started = alarm;
    return 0;
}
