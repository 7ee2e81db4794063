/* signal.h: signals that the program raises itself; nothing else ever does. */
#ifndef _BROWNOUT_SIGNAL_H
#define _BROWNOUT_SIGNAL_H
#include <sys/cdefs.h>
__BEGIN_DECLS
typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t)-1)
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGALRM 14
#define SIGTERM 15
sighandler_t signal(int number, sighandler_t handler);
int raise(int number);
__END_DECLS
/* Of old mspgcc, whose header of the registers is io.h, this is the header of interrupts. */
#ifdef _BROWNOUT_IO_H
#include <legacymsp430.h>
#endif
#endif
