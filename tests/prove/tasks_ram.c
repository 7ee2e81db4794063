//@ verdict: unknown
//@ reason: `value`
//@ args: --set power.policy=tasks --set power.tasks=['task_sense','task_store'] --set power.transition=['next_task']
// What one task leaves in volatile memory is gone when the next one begins again.


#include <brownout.h>

BROWNOUT_INPUT int sense(void);
void next_task(void (*task)(void));
void task_store(void);

static int value;
BROWNOUT_NV static int stored;

void task_sense(void)
{
    value = sense();
    next_task(task_store);
}

void task_store(void)
{
    stored = value;
    next_task(task_sense);
}

int main(void)
{
    task_sense();
    return 0;
}
