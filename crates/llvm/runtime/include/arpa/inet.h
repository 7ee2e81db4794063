/* arpa/inet.h: numbers in the order of networks, which is the other one on every target here. */
#ifndef _BROWNOUT_ARPA_INET_H
#define _BROWNOUT_ARPA_INET_H
#include <stdint.h>
#include <sys/cdefs.h>
__BEGIN_DECLS
uint16_t htons(uint16_t x);
uint16_t ntohs(uint16_t x);
uint32_t htonl(uint32_t x);
uint32_t ntohl(uint32_t x);
__END_DECLS
#endif
