/* io.h: the old name of it. */
#include <msp430.h>
