/* Sense, process, transmit (EWSN'21 §6.3): INPUTS sensors, a checkpoint after every reading. Every
   sensor adds a reading and a checkpoint to a round, and all that is computed from it; with SPREAD
   there are four readings of however many sensors, and rounds are the same. */
#include <brownout.h>

#ifndef INPUTS
#define INPUTS 4
#endif
#ifndef ROUNDS
#define ROUNDS 2000
#endif

int read1(void), read2(void), read3(void), read4(void);
#ifdef SPREAD
#define READINGS 4
#define SENSOR2 (INPUTS > 1 ? read2() : read1())
#define SENSOR3 (INPUTS > 2 ? read3() : read1())
#define SENSOR4 (INPUTS > 3 ? read4() : INPUTS > 1 ? read2() : read1())
#else
#define READINGS INPUTS
#define SENSOR2 read2()
#define SENSOR3 read3()
#define SENSOR4 read4()
#endif
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
#if READINGS > 1
        samples[1] = SENSOR2;
        brownout_checkpoint();
#endif
#if READINGS > 2
        samples[2] = SENSOR3;
        brownout_checkpoint();
#endif
#if READINGS > 3
        samples[3] = SENSOR4;
        brownout_checkpoint();
#endif
        transmit(process(samples));
        brownout_checkpoint();
    }
    return 0;
}
