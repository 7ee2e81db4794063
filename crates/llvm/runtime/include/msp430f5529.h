/* msp430f5529.h: one header serves every device here. */
#include <msp430.h>
