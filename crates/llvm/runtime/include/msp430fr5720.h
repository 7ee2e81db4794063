/* msp430fr5720.h: one header serves every device here. */
#include <msp430.h>
