/* core_cmInstr.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
