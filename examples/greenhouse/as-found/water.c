/* The valve. */
#include "greenhouse.h"

void water(int steps) {
    valve_turn(steps);
}
