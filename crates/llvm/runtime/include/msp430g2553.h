/* msp430g2553.h: one header serves every device here; this is one of the old families. */
#ifndef __BROWNOUT_MSP430_OLD__
#define __BROWNOUT_MSP430_OLD__
#endif
#include <msp430.h>
