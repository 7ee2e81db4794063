/* io.h: the old name of it. */
#ifndef _BROWNOUT_IO_H
#define _BROWNOUT_IO_H
#include <msp430.h>
#endif
