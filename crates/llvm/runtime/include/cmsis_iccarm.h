/* cmsis_iccarm.h: the intrinsics of CMSIS. */
#include <cmsis_compiler.h>
