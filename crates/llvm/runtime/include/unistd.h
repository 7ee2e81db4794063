/* unistd.h: the few POSIX calls that make sense with two output streams and no
 * operating system.  The sleeps return at once: the machine keeps no wall clock. */
#ifndef _BROWNOUT_UNISTD_H
#define _BROWNOUT_UNISTD_H
#include <stddef.h>
#include <sys/cdefs.h>
#include <sys/types.h>
__BEGIN_DECLS
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
ssize_t write(int fd, const void *p, size_t n);
ssize_t read(int fd, void *p, size_t n);
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
__BROWNOUT_NORETURN void _exit(int status);
__END_DECLS
#endif
