/* getopt.h: options of a command line; see unistd.h. */
#include <unistd.h>
