/* msp430fr5969.h: one header serves every device here. */
#include <msp430.h>
