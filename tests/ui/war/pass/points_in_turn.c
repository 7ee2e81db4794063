//! A calibration measures its points one after the other, all at the same place of the program. Each is counted when it is
//! there: however often power fails, the one that is missing is measured again.
//@ policy: restart
#include <brownout.h>

int bridge(void) BROWNOUT_INPUT_RANGE(100, 900);
void show(int value) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int points[3];
BROWNOUT_NV unsigned char known;

int main(void) {
    while (known < 3) {
        points[known] = bridge();
        known++;
    }
    for (;;) {
        show(points[0] + points[1] + points[2]);
    }
}
