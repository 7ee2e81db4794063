//! Tasks of a runtime that jumps with assembly; a task decides on a reading between two successors, and counts on one side.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["task_*"]
//@ config: transition = ["transition_to"]
//@ possible: inline assembly is not executed
#include <brownout.h>

#define NV __attribute__((section(".nv_vars")))

typedef void(task_func_t)(void);
typedef struct {
    task_func_t *func;
    unsigned index;
    char name[12];
} task_t;
typedef struct {
    task_t *task;
    unsigned need_commit;
} context_t;

#define TASK(i, f)                                                                                 \
    void f(void);                                                                                  \
    NV task_t _task_##f = {f, i, #f};
#define TASK_REF(f) (&_task_##f)
#define TRANSITION_TO(f) transition_to(TASK_REF(f))
#define GLOBAL_SB(type, name) NV type _global_##name
#define GV(name) _global_##name

int read_adc(void) BROWNOUT_INPUT;

TASK(1, task_init)
TASK(2, task_sense)
TASK(3, task_count)

NV context_t context_0 = {TASK_REF(task_init), 0};
NV context_t context_1;
NV context_t *volatile curctx = &context_0;

GLOBAL_SB(int, level);
GLOBAL_SB(unsigned, high);
GLOBAL_SB(unsigned, alarms);

/* The runtime: names the next task, gives up the stack and jumps. */
__attribute__((noreturn)) void transition_to(task_t *next) {
    context_t *other = curctx == &context_0 ? &context_1 : &context_0;
    other->task = next;
    other->need_commit = 0;
    curctx = other;
    __asm__ volatile("mov #0x2400, r1\n br %0" : : "r"(next->func));
    __builtin_unreachable();
}

void task_init(void) {
    GV(high) = 0;
    GV(alarms) = 0;
    TRANSITION_TO(task_sense);
}

void task_sense(void) {
    GV(level) = read_adc();
    if (GV(level) > 7) { //~ ERROR [repeated-input] whether `_global_high` is written
        GV(high) = 1;
        TRANSITION_TO(task_count);
    }
    TRANSITION_TO(task_sense);
}

void task_count(void) {
    GV(alarms) = GV(high);
    TRANSITION_TO(task_sense);
}

int main(void) {
    ((task_func_t *)curctx->task->func)();
    return 0;
}
