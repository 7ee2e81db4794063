/* msp430fr6989.h: one header serves every device here. */
#include <msp430.h>
