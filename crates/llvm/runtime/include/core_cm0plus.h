/* core_cm0plus.h: what CMSIS gives a Cortex-M. */
#include <cmsis_core.h>
