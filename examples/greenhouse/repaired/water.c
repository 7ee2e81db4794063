/* The valve, by its position. */
#include "greenhouse.h"

void water(int steps) {
    valve_set(steps);
}
