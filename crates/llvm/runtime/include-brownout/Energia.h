/* Energia.h: what Arduino calls Arduino.h, for an MSP430. */
#ifndef _BROWNOUT_ENERGIA_H
#define _BROWNOUT_ENERGIA_H
#include <Arduino.h>
#include <msp430.h>
#endif
