//! Two tasks: one computes the new value, the next one stores it.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["compute", "store"]
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
    store();
    return 0;
}
