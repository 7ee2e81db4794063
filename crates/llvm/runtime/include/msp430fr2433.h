/* msp430fr2433.h: one header serves every device here. */
#include <msp430.h>
