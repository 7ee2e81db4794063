/* A thermometer that remembers whether it was ever too hot. */
#include <brownout.h>

int read_temp(void) BROWNOUT_INPUT;

BROWNOUT_NV int alarm;
BROWNOUT_NV int ok;

int main(void) {
    for (int round = 0; round < 3; round++) {
        brownout_checkpoint();
        int t = read_temp();
        if (t > 30) {
            alarm = 1;
        } else {
            ok = 1;
        }
    }
    return 0;
}
