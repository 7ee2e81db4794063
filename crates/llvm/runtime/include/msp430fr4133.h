/* msp430fr4133.h: one header serves every device here; this says which families it is of. */
#ifndef __BROWNOUT_MSP430_FR2__
#define __BROWNOUT_MSP430_FR2__
#endif
#include <msp430.h>
