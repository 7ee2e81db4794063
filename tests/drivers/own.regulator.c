// A regulator in whole numbers: the sum of all errors is kept, what it drives is limited.
#include <stdint.h>

uint32_t clock_ms(void);

struct regulator {
    int32_t target, factor, low, high;
    int32_t sum;
    uint32_t latest;
    uint16_t period;
};

void regulator_init(struct regulator *it, int32_t low, int32_t high, uint16_t period) {
    it->target = 0;
    it->factor = 1;
    it->low = low;
    it->high = high;
    it->sum = 0;
    it->latest = 0;
    it->period = period;
}

void regulator_target(struct regulator *it, int32_t target) { it->target = target; }

int32_t regulator_step(struct regulator *it, int32_t measured) {
    int32_t drive;
#ifdef MENDED
    drive = (it->target - measured) * it->factor;
#else
    uint32_t now = clock_ms();
    if (now - it->latest < it->period) { //~ repeated-input it->latest, it->sum
        return it->sum;
    }
    it->sum += it->target - measured; //~ war it->sum
    if (it->sum > 1000) {
        it->sum = 1000;
    }
    it->latest = now; //~ war it->latest
    drive = it->sum * it->factor;
#endif
    if (drive > it->high) {
        drive = it->high;
    }
    return drive < it->low ? it->low : drive;
}
