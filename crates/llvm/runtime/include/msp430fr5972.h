/* msp430fr5972.h: one header serves every device here. */
#include <msp430.h>
