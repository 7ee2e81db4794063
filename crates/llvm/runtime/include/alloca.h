/* alloca.h: memory of the calling function. */
#ifndef _BROWNOUT_ALLOCA_H
#define _BROWNOUT_ALLOCA_H
#include <stddef.h>
#undef alloca
#define alloca(size) __builtin_alloca(size)
#endif
