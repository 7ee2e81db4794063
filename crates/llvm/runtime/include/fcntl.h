/* fcntl.h: files by descriptor, none of which can be opened. */
#ifndef _BROWNOUT_FCNTL_H
#define _BROWNOUT_FCNTL_H
#include <sys/cdefs.h>
#include <sys/types.h>
__BEGIN_DECLS
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
int open(const char *path, int flags, ...);
__END_DECLS
#endif
