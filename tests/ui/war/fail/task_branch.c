//! A task adds to a sum, twice if power fails after that.
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
        sum = sum + 2; //~ ERROR [war] `sum`
    next(store);
}

void store(void) {
    last = level;
    level = 3; //~ NOTE [war] `level`; benign
    next(measure);
}

int main(void) {
    next(measure);
}
