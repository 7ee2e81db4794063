//! A task of FreeRTOS goes round by itself, with what `main` has created it with.
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
BROWNOUT_NV struct log samples;

static void sampler(void *argument) {
    struct log *log = argument;
    for (;;) {
        log->sum += sense(); //~ ERROR [war] `samples.sum`; confirmed
        log->count++;
        vTaskDelay(10);
    }
}

int main(void) {
    xTaskCreate(sampler, "sampler", 128, &samples, 1, 0);
    vTaskStartScheduler();
    for (;;)
        ;
}
