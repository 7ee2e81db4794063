/* msp430fr2476.h: one header serves every device here. */
#include <msp430.h>
