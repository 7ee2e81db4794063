/* stm32l476xx.h: a chip of the STM32L4. */
#include <stm32l4xx.h>
