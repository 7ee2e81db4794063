/* core_cm23.h: what CMSIS gives a Cortex-M. */
#include <cmsis_core.h>
