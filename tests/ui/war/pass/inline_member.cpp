//! A member function that computes anew what it stores.
//@ config: [[input]]
//@ config: function = "adc"
#include <stdint.h>

extern "C" int adc(int channel);

class Averager {
    int16_t last = 0;

public:
    void sample() {
        int32_t sum = 0;
        for (int i = 0; i < 4; i++)
            sum += adc(0);
        last = sum / 4;
    }
    int16_t mean() const { return last; }
};

Averager averager;

void tick() { averager.sample(); }
int16_t value() { return averager.mean(); }
