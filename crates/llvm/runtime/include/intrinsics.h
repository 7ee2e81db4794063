/* intrinsics.h: the intrinsics. */
#include <msp430.h>
