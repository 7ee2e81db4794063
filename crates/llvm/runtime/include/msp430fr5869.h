/* msp430fr5869.h: one header serves every device here; this says which families it is of. */
#ifndef __BROWNOUT_MSP430_RTC_B__
#define __BROWNOUT_MSP430_RTC_B__
#endif
#include <msp430.h>
