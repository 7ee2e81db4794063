/* sys/param.h: the lesser and the greater of two. */
#ifndef _BROWNOUT_SYS_PARAM_H
#define _BROWNOUT_SYS_PARAM_H
#include <limits.h>
#include <sys/types.h>
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
