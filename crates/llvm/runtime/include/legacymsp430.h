/* legacymsp430.h: the words of mspgcc. */
#ifndef _BROWNOUT_LEGACYMSP430_H
#define _BROWNOUT_LEGACYMSP430_H
#include <msp430.h>
/* `interrupt (PORT1_VECTOR) handler(void) { … }` */
#define interrupt(vector) void __attribute__((__interrupt__(vector)))
#endif
