/* msp430fr5730.h: one header serves every device here. */
#include <msp430.h>
