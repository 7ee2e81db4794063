/* malloc.h: the older name for what <stdlib.h> has of memory. */
#include <stdlib.h>
