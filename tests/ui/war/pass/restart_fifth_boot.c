//! One sample per boot, and every sixth boot sends them: the count is reset when they have been sent.
//@ policy: restart
#include <brownout.h>

int sample(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();
BROWNOUT_NV unsigned count;
BROWNOUT_NV int samples[5];

int main(void) {
    if (count == 5) {
        for (unsigned i = 0; i < 5; i++) {
            send(samples[i]);
        }
        count = 0;
        return 0;
    }
    samples[count] = sample();
    count++;
    return 0;
}
