/* stm32l051xx.h: a chip of the STM32L0. */
#include <stm32l0xx.h>
