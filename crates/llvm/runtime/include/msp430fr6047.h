/* msp430fr6047.h: one header serves every device here. */
#include <msp430.h>
