//@ verdict: proved
//@ args: --set power.policy=tasks --set power.tasks=['task_sense','task_sort'] --set power.transition=['next_task']
// A runtime that is linked later: a call of its transition does not return.

#include <brownout.h>

BROWNOUT_INPUT int sense(void);
void next_task(void (*task)(void));
void task_sort(void);

BROWNOUT_NV static int values[2], least, most;

void task_sense(void)
{
    values[0] = sense();
    values[1] = sense();
    next_task(task_sort);
    values[0] += 1;
}

void task_sort(void)
{
    if (values[0] < values[1]) {
        least = values[0];
        most = values[1];
        next_task(task_sense);
    }
    least = values[1];
    most = values[0];
    next_task(task_sense);
}

int main(void)
{
    task_sense();
    return 0;
}
