/* io430.h: IAR's name of it. */
#include <msp430.h>
