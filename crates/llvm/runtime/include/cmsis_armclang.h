/* cmsis_armclang.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
