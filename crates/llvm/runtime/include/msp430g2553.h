/* msp430g2553.h: one header serves every device here. */
#include <msp430.h>
