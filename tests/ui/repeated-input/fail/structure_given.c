//! The same with a structure that is filled by code, on the stack.
//@ args: --static
//@ config: ignore = ["kernel_register"]
//@ possible: nobody calls it in the execution
#include <brownout.h>

struct operations {
    void *context;
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

int main(void) {
    brownout_checkpoint();
    struct operations operations;
    operations.context = 0;
    operations.sample = sample;
    kernel_register(&operations);
    started = alarm;
    return 0;
}
