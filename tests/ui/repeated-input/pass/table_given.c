//! A table that leaves the program takes its functions with it: whoever gets it may call them.
//@ args: --static
//@ config: ignore = ["kernel_register"]
#include <brownout.h>

struct operations {
    void (*sample)(void);
};

int sense(void) BROWNOUT_INPUT;
void kernel_register(const struct operations *operations);
int started;

static int alarm;

static void sample(void) {
    alarm = sense() > 10;
}

static const struct operations operations = {sample};

int main(void) {
    brownout_checkpoint();
    kernel_register(&operations);
    started = alarm;
    return 0;
}
