/* msp430f5438a.h: one header serves every device here. */
#include <msp430.h>
