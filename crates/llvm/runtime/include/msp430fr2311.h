/* msp430fr2311.h: one header serves every device here. */
#include <msp430.h>
