/* msp430fr5869.h: one header serves every device here. */
#include <msp430.h>
