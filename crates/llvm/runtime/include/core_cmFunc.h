/* core_cmFunc.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
