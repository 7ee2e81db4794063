/* core_cm35p.h: what CMSIS gives a Cortex-M. */
#include <cmsis_core.h>
