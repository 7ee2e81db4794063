/* in430.h: the intrinsics. */
#include <msp430.h>
