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
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
int close(int fd);
off_t lseek(int fd, off_t offset, int origin);
int access(const char *path, int mode);
int unlink(const char *path);
int isatty(int fd);
pid_t getpid(void);
extern char **environ;
void swab(const void *__restrict from, void *__restrict to, ssize_t n);
#ifndef _BROWNOUT_GETOPT
#define _BROWNOUT_GETOPT
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int argc, char *const argv[], const char *options);
#endif
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
__BROWNOUT_NORETURN void _exit(int status);
__END_DECLS
#endif
