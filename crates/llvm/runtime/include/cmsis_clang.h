/* cmsis_clang.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
