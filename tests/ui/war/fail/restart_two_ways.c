//! The index is written before what it stands for.
//@ config: [memory]
//@ config: nonvolatile = ["section:.nv"]
//@ config: [[input]]
//@ config: function = "sensor"
//@ config: [[output]]
//@ config: function = "send"
//@ config: semantics = "relative"
#define NV __attribute__((section(".nv")))
NV unsigned char queue[8];
NV volatile unsigned char written, sent;
int sensor(void);
void send(int value);

static int take(unsigned char *value) {
    if (written == sent)
        return 0;
    *value = queue[sent & 7];
    return 1;
}

static __attribute__((noinline)) void put(unsigned char value) {
    if ((unsigned char)(written - sent) != 8) {
        unsigned char last = written;
        written++; //~ ERROR [war] `written`
        queue[last & 7] = value;
    }
}

int main(void) {
    for (;;) {
        int value = sensor();
        if (value & 1) {
            put(value);
        } else {
            unsigned char oldest;
            if (take(&oldest)) {
                send(oldest);
                sent++;
            }
        }
    }
}
