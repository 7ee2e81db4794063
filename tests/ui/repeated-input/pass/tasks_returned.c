//! Tasks return their successor to a scheduler, which keeps it in a variable; the reading decides in the next task.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["_t_*"]
//@ config: transition = ["_thread"]
#include <brownout.h>

/* A thread is a chain of tasks; each returns its successor. The scheduler keeps the next one. */
#define TASK(name) void *_t_##name(void)
#define ENTRY_TASK(name) TASK(name)
#define NEXT(name) return (void *)_t_##name
#define THREAD_END return 0
#define __shared(...)                                                                              \
    typedef struct {                                                                               \
        __VA_ARGS__                                                                                \
    } shared_t;                                                                                    \
    BROWNOUT_NV static shared_t _shared;
#define __GET(x) _shared.x
#define __SET(x, value) _shared.x = (value)

int read_adc(void) BROWNOUT_INPUT;

typedef void *task_t(void);
BROWNOUT_NV static struct {
    unsigned char priority;
    task_t *next;
} _thread;

__shared(int level; int peak; unsigned seen;)

ENTRY_TASK(sense);
TASK(judge);

ENTRY_TASK(sense) {
    __SET(level, read_adc());
    NEXT(judge);
}

TASK(judge) {
    if (__GET(level) > 7) {
        __SET(peak, __GET(level));
    }
    __SET(seen, __GET(peak));
    THREAD_END;
}

int main(void) {
    if (!_thread.next) {
        _thread.next = _t_sense;
    }
    for (;;) {
        task_t *next = (task_t *)_thread.next();
        _thread.next = next ? next : _t_sense;
    }
}
