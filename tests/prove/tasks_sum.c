//@ verdict: counterexample
//@ finding: war total
//@ args: --set power.policy=tasks --set power.tasks=['task_sense','task_add'] --set power.transition=['next_task']
// The task that adds begins again after it has added.


#include <brownout.h>

BROWNOUT_INPUT int sense(void);
void next_task(void (*task)(void));
void task_add(void);

BROWNOUT_NV static int value, total;

void task_sense(void)
{
    value = sense();
    next_task(task_add);
}

void task_add(void)
{
    total += value;
    next_task(task_sense);
}

int main(void)
{
    task_sense();
    return 0;
}
