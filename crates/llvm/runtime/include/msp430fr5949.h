/* msp430fr5949.h: one header serves every device here. */
#include <msp430.h>
