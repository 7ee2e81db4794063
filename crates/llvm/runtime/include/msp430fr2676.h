/* msp430fr2676.h: one header serves every device here. */
#include <msp430.h>
