/* msp430fr2355.h: one header serves every device here. */
#include <msp430.h>
