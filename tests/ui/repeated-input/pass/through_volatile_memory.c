//! The reading stays in volatile memory, and so does all that depends on it.
//@ args: --static
//@ nv: symbol:kept
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct queue {
    int items[4];
    int count;
};

struct queue queue;
int alarm;
int kept;

static void put(struct queue *to, int item) {
    to->items[to->count & 3] = item;
    to->count++;
}

static int take(struct queue *from) {
    from->count--;
    return from->items[from->count & 3];
}

int main(void) {
    brownout_checkpoint();
    put(&queue, read_adc());
    if (take(&queue) > 7) {
        alarm = 1;
    }
    return 0;
}
