/* core_cm3.h: what CMSIS gives a Cortex-M. */
#include <cmsis_core.h>
