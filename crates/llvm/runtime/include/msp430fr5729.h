/* msp430fr5729.h: one header serves every device here. */
#include <msp430.h>
