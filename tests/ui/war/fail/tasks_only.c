//! A task that counts in place; entering a task is the transition.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["compute", "store"]
int count;
int copy;

static void compute(void) {
    copy = count + 1; //~ NOTE [war] read here
    count = copy; //~ ERROR [war] `count`; `count` = 2 instead of 1
}

static void store(void) {
}

int main(void) {
    compute();
    store();
    return 0;
}
