/* msp430x54xA.h: one header serves every device here; this says which families it is of. */
#ifndef __BROWNOUT_MSP430_F5__
#define __BROWNOUT_MSP430_F5__
#endif
#include <msp430.h>
