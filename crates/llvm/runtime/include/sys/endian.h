/* sys/endian.h: another name of <endian.h>. */
#include <endian.h>
