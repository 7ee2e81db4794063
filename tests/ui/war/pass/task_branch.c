//! A task has a branch that no state leads to: all states that the tasks come to were tried.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["measure", "store"]
//@ config: transition = ["next"]
#include <brownout.h>

void next(void (*task)(void)) __attribute__((noreturn));
void store(void);
BROWNOUT_NV unsigned char level, sum, last;

void measure(void) {
    if (level > 2)
        sum = sum + 2; //~ NOTE [war] `sum`; benign
    next(store);
}

void store(void) {
    last = level;
    level = 0;
    next(measure);
}

int main(void) {
    next(measure);
}
