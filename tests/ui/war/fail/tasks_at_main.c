//! A task that counts in place, in a runtime that finds its task itself after every reboot.
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
    count++; //~ ERROR [war] `count`; `count` = 129 instead of 128
    current = 1;
}

static void task_copy(void) {
    copy = count;
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
