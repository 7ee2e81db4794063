//! A task that counts in place; the transition function is the program's own.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["compute", "store"]
//@ config: transition = ["next_task"]
int count;
int copy;

static void next_task(void) {
}

static void compute(void) {
    copy = count + 1; //~ NOTE [war] read here
    count = copy; //~ ERROR [war] `count`; `count` = 2 instead of 1
}

static void store(void) {
}

int main(void) {
    compute();
    next_task();
    store();
    next_task();
    return 0;
}
