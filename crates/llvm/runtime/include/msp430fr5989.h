/* msp430fr5989.h: one header serves every device here. */
#include <msp430.h>
