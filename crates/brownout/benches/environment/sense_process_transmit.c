/* Sense, process, transmit (EWSN'21 §6.3): INPUTS sensors, a checkpoint behind every reading. The
   work of a round does not depend on how many sensors there are. */
#include <brownout.h>

#ifndef INPUTS
#define INPUTS 4
#endif
#ifndef ROUNDS
#define ROUNDS 2000
#endif

int read1(void), read2(void), read3(void), read4(void);
void transmit(int value);

static int window[16];

static int process(const int *samples) {
    int sum = 0;
    for (int i = 0; i < 16; i++) {
        window[i] = (window[i] * 3 + samples[i % 4]) / 4;
        sum += window[i];
    }
    return sum;
}

int main(void) {
    static int samples[4];
    for (int round = 0; round < ROUNDS; round++) {
        samples[0] = read1();
        brownout_checkpoint();
#if INPUTS > 1
        samples[1] = read2();
        brownout_checkpoint();
#endif
#if INPUTS > 2
        samples[2] = read3();
        brownout_checkpoint();
#endif
#if INPUTS > 3
        samples[3] = read4();
        brownout_checkpoint();
#endif
        transmit(process(samples));
        brownout_checkpoint();
    }
    return 0;
}
