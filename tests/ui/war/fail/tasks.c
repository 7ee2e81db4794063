//! A task that counts in place.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["compute", "store"]
//@ config: transition = ["next_task"]
void next_task(void);

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
    next_task();
    store();
    next_task();
    return 0;
}
