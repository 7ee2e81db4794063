//! The task counts in another variable, which the next one takes over.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["task_*"]
//@ config: restart = "main"
//@ config: [memory]
//@ config: nonvolatile = ["section:.nv"]
#define NV __attribute__((section(".nv")))
NV unsigned count;
NV unsigned copy;
NV volatile unsigned char current;

static void task_count(void) {
    copy = count + 1;
    current = 1;
}

static void task_copy(void) {
    count = copy;
    current = 0;
}

int main(void) {
    for (;;) {
        if (current)
            task_copy();
        else
            task_count();
    }
}
