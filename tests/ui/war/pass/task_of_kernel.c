//! The task keeps two records, one of which counts; `main` tidies up before it begins.
//@ policy: restart
//@ config: profile = ["freertos"]
//@ config: [[input]]
//@ config: function = "sense"
#include <brownout.h>

typedef void (*TaskFunction_t)(void *);
int xTaskCreate(TaskFunction_t code, const char *name, unsigned short depth, void *argument, unsigned priority,
                void **handle);
void vTaskStartScheduler(void);
void vTaskDelay(unsigned ticks);
unsigned sense(void);

struct log {
    unsigned sum;
    unsigned count;
};
struct logs {
    struct log records[2];
    unsigned current;
};
BROWNOUT_NV struct logs samples;

static void sampler(void *argument) {
    struct logs *logs = argument;
    for (;;) {
        unsigned next = logs->current ^ 1;
        logs->records[next].sum = logs->records[next ^ 1].sum + sense();
        logs->records[next].count = logs->records[next ^ 1].count + 1;
        logs->current = next;
        vTaskDelay(10);
    }
}

int main(void) {
    xTaskCreate(sampler, "sampler", 128, &samples, 1, 0);
    vTaskStartScheduler();
    for (;;)
        ;
}
