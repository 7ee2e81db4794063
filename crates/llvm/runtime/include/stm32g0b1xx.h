/* stm32g0b1xx.h: a chip of the STM32G0. */
#include <stm32g0xx.h>
