/* cmsis_gcc.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
