//! Tasks that pass data through channels; one fills its channel only if the reading is good.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["sense", "smooth", "report"]
//@ config: transition = ["transition_to"]
#include <brownout.h>
#include <string.h>

/* Channels between tasks: one structure per pair, filled by the sender. */
#define CH(from, to) _channel_##from##_##to
#define CHANNEL(from, to, type) static BROWNOUT_NV struct type CH(from, to)
#define CHAN_OUT(field, value, channel) chan_out(&(channel).field, &(value), sizeof(channel).field)
#define CHAN_IN(type, field, channel) (*(const type *)chan_in(&(channel).field))
#define TRANSITION_TO(task) transition_to(task)

typedef void task(void);
__attribute__((noreturn)) void transition_to(task *next);
int read_adc(void) BROWNOUT_INPUT;

static void chan_out(void *field, const void *value, unsigned size) {
    memcpy(field, value, size);
}

static const void *chan_in(const void *field) {
    return field;
}

struct reading {
    int value;
    int valid;
};
struct average {
    int value;
    unsigned count;
};

CHANNEL(sense, smooth, reading);
CHANNEL(smooth, report, average);
CHANNEL(smooth, smooth, average);

void sense(void);
void smooth(void);
void report(void);
BROWNOUT_NV int reported;

void sense(void) {
    int value = read_adc();
    if (value > 0) { //~ ERROR [repeated-input] `_channel_sense_smooth.valid` and `_channel_sense_smooth.value` are written
        int valid = 1;
        CHAN_OUT(value, value, CH(sense, smooth));
        CHAN_OUT(valid, valid, CH(sense, smooth));
    }
    TRANSITION_TO(smooth);
}

void smooth(void) {
    int valid = CHAN_IN(int, valid, CH(sense, smooth));
    if (valid) {
        struct average next = {CHAN_IN(int, value, CH(sense, smooth)), 1};
        CHAN_OUT(value, next.value, CH(smooth, report));
        CHAN_OUT(count, next.count, CH(smooth, report));
        TRANSITION_TO(report);
    }
    TRANSITION_TO(sense);
}

void report(void) {
    reported = CHAN_IN(int, value, CH(smooth, report));
    TRANSITION_TO(sense);
}

int main(void) {
    TRANSITION_TO(sense);
}
