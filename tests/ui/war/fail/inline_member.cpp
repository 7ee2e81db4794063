//! A member function that is only called by the driver's own functions is told once, as what they call it on.
//@ config: [[input]]
//@ config: function = "adc"
#include <stdint.h>

extern "C" int adc(int channel);

class Averager {
    int32_t sum = 0;
    uint8_t count = 0;

public:
    void sample() {
        sum += adc(0); //~ ERROR [war] `averager.sum`
        count++; //~ ERROR [war] `averager.count`
    }
    int16_t mean() const { return count ? sum / count : 0; }
};

Averager averager;

void tick() { averager.sample(); }
int16_t value() { return averager.mean(); }
