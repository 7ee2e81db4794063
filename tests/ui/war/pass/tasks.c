//! Two tasks: one computes the new value, the next one stores it.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["compute", "store"]
//@ config: transition = ["next_task"]
void next_task(void);

int count;
int copy;

static void compute(void) {
    copy = count + 1;
}

static void store(void) {
    count = copy;
}

int main(void) {
    compute();
    next_task();
    store();
    next_task();
    return 0;
}
