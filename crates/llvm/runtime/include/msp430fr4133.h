/* msp430fr4133.h: one header serves every device here. */
#include <msp430.h>
