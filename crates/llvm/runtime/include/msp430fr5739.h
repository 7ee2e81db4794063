/* msp430fr5739.h: one header serves every device here. */
#include <msp430.h>
