/* msp430fr5847.h: one header serves every device here. */
#include <msp430.h>
