/* msp430fr5994.h: one header serves every device here. */
#include <msp430.h>
