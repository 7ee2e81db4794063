// A task that counts alarms among the items of a queue, which are structures.
#include <stdbool.h>
#include <stdint.h>

typedef struct QueueDefinition *QueueHandle_t;
long xQueueReceive(QueueHandle_t queue, void *item, unsigned long wait);
long xTaskCreate(void (*task)(void *), const char *name, unsigned depth, void *argument, unsigned priority, void **handle);

struct sample {
    uint16_t channel;
    int16_t value;
};

static QueueHandle_t samples;
static int16_t latest[4];
static bool too_hot;

static void collect(void *argument) {
    struct sample sample;
    (void)argument;
    if (xQueueReceive(samples, &sample, 100) != 1) {
        return;
    }
#ifdef MENDED
    too_hot = sample.value > 900;
#else
    if (sample.value > 900) { //~ repeated-input too_hot
        too_hot = true;
    }
#endif
}

void start(void) { xTaskCreate(collect, "collect", 128, 0, 1, 0); }
bool is_too_hot(void) { return too_hot; }
int16_t latest_of(unsigned channel) { return latest[channel & 3]; }
