/* msp430fr5964.h: one header serves every device here. */
#include <msp430.h>
