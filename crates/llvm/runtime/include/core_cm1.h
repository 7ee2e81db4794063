/* core_cm1.h: what CMSIS gives a Cortex-M. */
#include <cmsis_core.h>
