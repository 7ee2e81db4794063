//! A calibration measures its points one after the other, and counts each before it is there.
//@ policy: restart
#include <brownout.h>

int bridge(void) BROWNOUT_INPUT_RANGE(100, 900);
void show(int value) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int points[3];
BROWNOUT_NV unsigned char known;

int main(void) {
    while (known < 3) {
        known++; //~ ERROR [war] `known`
        points[known - 1] = bridge();
    }
    for (;;) {
        show(points[0] + points[1] + points[2]);
    }
}
