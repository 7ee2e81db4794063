/* sys/types.h: the POSIX integer types small firmware asks for. */
#ifndef _BROWNOUT_SYS_TYPES_H
#define _BROWNOUT_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
#ifndef _BROWNOUT_SSIZE_T
#define _BROWNOUT_SSIZE_T
typedef ptrdiff_t ssize_t;
#endif
typedef long off_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
#ifndef _BROWNOUT_TIME_T
#define _BROWNOUT_TIME_T
typedef long time_t;
#endif
typedef long suseconds_t;
typedef uint32_t useconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef unsigned int uint;
#endif
