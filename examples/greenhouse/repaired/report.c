/* The radio, set up for every packet. */
#include "greenhouse.h"

void report(int kind, int value) {
    UCA0BR0 = 104;
    radio_send(kind, value);
}
