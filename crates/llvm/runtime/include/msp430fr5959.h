/* msp430fr5959.h: one header serves every device here. */
#include <msp430.h>
