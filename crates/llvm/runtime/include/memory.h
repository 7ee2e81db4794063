/* memory.h: the older name for what <string.h> has of memory. */
#include <string.h>
