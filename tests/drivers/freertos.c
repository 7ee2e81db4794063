// An application on FreeRTOS: one task takes commands from a queue and keeps the last digits of two counts
// in memory that outlives power.
#include <stddef.h>
#include <stdint.h>

typedef struct QueueDefinition *QueueHandle_t;
typedef struct tskTaskControlBlock *TaskHandle_t;
typedef uint32_t TickType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
BaseType_t xTaskCreate(void (*code)(void *), const char *name, uint16_t depth, void *parameters,
                       UBaseType_t priority, TaskHandle_t *created);
void vTaskStartScheduler(void);
void vTaskDelay(TickType_t ticks);
BaseType_t xQueueReceive(QueueHandle_t queue, void *buffer, TickType_t ticks);
QueueHandle_t xQueueGenericCreate(UBaseType_t length, UBaseType_t size, uint8_t type);

static QueueHandle_t commands;

struct total {
    uint8_t sum;
    uint8_t count;
};

#ifdef MENDED
__attribute__((section(".noinit"))) static struct total totals[2];
__attribute__((section(".noinit"))) static uint8_t current;

static void add(uint8_t value) {
    struct total next = totals[current & 1];
    next.sum = (next.sum + (value > 9)) & 15;
    next.count = (next.count + 1) & 15;
    totals[1 - (current & 1)] = next;
    current = 1 - (current & 1);
}
#else
__attribute__((section(".noinit"))) static struct total total;

static void add(uint8_t value) {
    total.sum = (total.sum + (value > 9)) & 15; //~ war total.sum
    total.count = (total.count + 1) & 15;
}
#endif

static void keeper(void *unused) {
    (void)unused;
    for (;;) {
        uint8_t value = 0;
        if (xQueueReceive(commands, &value, 0xffffffffu) == 1) {
            add(value);
        }
        vTaskDelay(100);
    }
}

int main(void) {
    commands = xQueueGenericCreate(4, 1, 0);
    xTaskCreate(keeper, "keeper", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
