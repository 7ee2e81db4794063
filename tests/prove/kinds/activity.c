//! Recognition of activity: a window of accelerations, its features, and the nearer of two models.
#include <brownout.h>
int acceleration(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned char window[8];
BROWNOUT_NV unsigned char mean, spread;
BROWNOUT_NV const unsigned char models[4] = {20, 3, 90, 40};
BROWNOUT_NV unsigned total, moving, resting;
static unsigned char distance(unsigned char a, unsigned char b) {
    return a > b ? a - b : b - a;
}
int main(void) {
    for (;;) {
        brownout_checkpoint();
        for (unsigned char i = 0; i < 8; i++)
            window[i] = acceleration() & 127;
        brownout_checkpoint();
        unsigned sum = 0;
        for (unsigned char i = 0; i < 8; i++)
            sum += window[i];
        mean = sum / 8;
        sum = 0;
        for (unsigned char i = 0; i < 8; i++)
            sum += distance(window[i], mean);
        spread = sum / 8;
        brownout_checkpoint();
        unsigned char rest = distance(mean, models[0]) + distance(spread, models[1]);
        unsigned char move = distance(mean, models[2]) + distance(spread, models[3]);
        total = total + 1;
        if (move < rest)
            moving = moving + 1;
        else
            resting = resting + 1;
    }
}
