/* netinet/in.h: another name of <arpa/inet.h>. */
#include <arpa/inet.h>
