/* The radio. */
#include "greenhouse.h"

void radio_on(void) {
    UCA0BR0 = 104;
}

void report(int kind, int value) {
    radio_send(kind, value);
}
