/* msp430x54xA.h: one header serves every device here. */
#include <msp430.h>
