/* What the sensors say. */
#include "greenhouse.h"

void checkpoint(void);

void sense(struct climate *now) {
    unsigned char sample[2];
    now->temperature = read_temperature();
    checkpoint();
    now->humidity = read_humidity();
    read_light(sample, sizeof sample);
    now->light = sample[0] + 256 * sample[1];
}

int dryness(const struct climate *now) {
    return now->temperature - now->humidity / 3;
}
