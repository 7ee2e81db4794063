//! One sample per boot, and every fifth boot sends them: the count is reset before they are sent.
//@ policy: restart
#include <brownout.h>

int sample(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();
BROWNOUT_NV unsigned count;
BROWNOUT_NV int samples[5];

int main(void) {
    if (count == 5) {
        count = 0; //~ ERROR [war] `count`
        for (unsigned i = 0; i < 5; i++) {
            send(samples[i]);
        }
    }
    samples[count] = sample();
    count++;
    return 0;
}
