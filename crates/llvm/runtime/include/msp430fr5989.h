/* msp430fr5989.h: one header serves every device here; this says which families it is of. */
#ifndef __BROWNOUT_MSP430_RTC_C__
#define __BROWNOUT_MSP430_RTC_C__
#endif
#include <msp430.h>
