//! Two static tasks under FreeRTOS: one reads a sensor, the other one keeps a sum and a count in FRAM, one
//! after the other: power can fail in between.
#include <stdint.h>
typedef void *TaskHandle_t;
typedef void *QueueHandle_t;
typedef int BaseType_t;
typedef unsigned UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
typedef struct { void *p[20]; } StaticTask_t;
typedef struct { void *p[20]; } StaticQueue_t;
TaskHandle_t xTaskCreateStatic(void (*)(void *), const char *, uint32_t, void *, UBaseType_t, StackType_t *, StaticTask_t *);
QueueHandle_t xQueueCreateStatic(UBaseType_t, UBaseType_t, uint8_t *, StaticQueue_t *);
BaseType_t xQueueSend(QueueHandle_t, const void *, TickType_t);
BaseType_t xQueueReceive(QueueHandle_t, void *, TickType_t);
void vTaskDelay(TickType_t);
void vTaskStartScheduler(void);
uint16_t read_sensor(void);

static StackType_t sense_stack[128], store_stack[128];
static StaticTask_t sense_task_buffer, store_task_buffer;
static StaticQueue_t queue_buffer;
static uint8_t queue_storage[8 * sizeof(uint16_t)];
static QueueHandle_t queue;

static uint16_t log_count __attribute__((section(".fram")));
static uint32_t log_sum __attribute__((section(".fram")));

static void sense_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        uint16_t value = read_sensor();
        xQueueSend(queue, &value, 0xffffffff);
        vTaskDelay(100);
    }
}

static void store_task(void *parameters)
{
    (void)parameters;
    uint16_t value;
    for (;;) {
        if (xQueueReceive(queue, &value, 0xffffffff)) {
            log_sum += value;
            log_count++;
        }
    }
}

int main(void)
{
    queue = xQueueCreateStatic(8, sizeof(uint16_t), queue_storage, &queue_buffer);
    xTaskCreateStatic(sense_task, "sense", 128, 0, 2, sense_stack, &sense_task_buffer);
    xTaskCreateStatic(store_task, "store", 128, 0, 1, store_stack, &store_task_buffer);
    vTaskStartScheduler();
    for (;;) {
    }
}
