/* stm32g031xx.h: a chip of the STM32G0. */
#include <stm32g0xx.h>
