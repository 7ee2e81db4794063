/* errors.c: what error numbers and signals are called, in glibc's words. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

char *strerror(int error) {
    static char __brownout_strerror_text[24];
    switch (error) {
    case 0: return (char *)"Success";
    case EPERM: return (char *)"Operation not permitted";
    case ENOENT: return (char *)"No such file or directory";
    case ESRCH: return (char *)"No such process";
    case EINTR: return (char *)"Interrupted system call";
    case EIO: return (char *)"Input/output error";
    case ENXIO: return (char *)"No such device or address";
    case E2BIG: return (char *)"Argument list too long";
    case EBADF: return (char *)"Bad file descriptor";
    case EAGAIN: return (char *)"Resource temporarily unavailable";
    case ENOMEM: return (char *)"Cannot allocate memory";
    case EACCES: return (char *)"Permission denied";
    case EFAULT: return (char *)"Bad address";
    case EBUSY: return (char *)"Device or resource busy";
    case EEXIST: return (char *)"File exists";
    case ENODEV: return (char *)"No such device";
    case ENOTDIR: return (char *)"Not a directory";
    case EISDIR: return (char *)"Is a directory";
    case EINVAL: return (char *)"Invalid argument";
    case EMFILE: return (char *)"Too many open files";
    case ENOTTY: return (char *)"Inappropriate ioctl for device";
    case EFBIG: return (char *)"File too large";
    case ENOSPC: return (char *)"No space left on device";
    case ESPIPE: return (char *)"Illegal seek";
    case EROFS: return (char *)"Read-only file system";
    case EPIPE: return (char *)"Broken pipe";
    case EDOM: return (char *)"Numerical argument out of domain";
    case ERANGE: return (char *)"Numerical result out of range";
    case ENOSYS: return (char *)"Function not implemented";
    case EPROTO: return (char *)"Protocol error";
    case EBADMSG: return (char *)"Bad message";
    case EOVERFLOW: return (char *)"Value too large for defined data type";
    case EILSEQ: return (char *)"Invalid or incomplete multibyte or wide character";
    case EMSGSIZE: return (char *)"Message too long";
    case ENOTSUP: return (char *)"Operation not supported";
    case ENOBUFS: return (char *)"No buffer space available";
    case ETIMEDOUT: return (char *)"Connection timed out";
    case EALREADY: return (char *)"Operation already in progress";
    case EINPROGRESS: return (char *)"Operation now in progress";
    case ECANCELED: return (char *)"Operation canceled";
    }
    sprintf(__brownout_strerror_text, "Unknown error %d", error);
    return __brownout_strerror_text;
}

#ifdef __linux__
/* glibc's own form, which returns the text; it need not be in the buffer. */
char *strerror_r(int error, char *s, size_t size) {
    (void)s, (void)size;
    return strerror(error);
}
#else
int strerror_r(int error, char *s, size_t size) {
    strlcpy(s, strerror(error), size);
    return strlen(strerror(error)) < size ? 0 : ERANGE;
}
#endif

char *strsignal(int number) {
    static char __brownout_strsignal_text[24];
    static const char names[] =
        "Hangup\0"
        "Interrupt\0"
        "Quit\0"
        "Illegal instruction\0"
        "Trace/breakpoint trap\0"
        "Aborted\0"
        "Bus error\0"
        "Floating point exception\0"
        "Killed\0"
        "User defined signal 1\0"
        "Segmentation fault\0"
        "User defined signal 2\0"
        "Broken pipe\0"
        "Alarm clock\0"
        "Terminated\0"
        "Stack fault\0"
        "Child exited\0"
        "Continued\0"
        "Stopped (signal)\0"
        "Stopped\0"
        "Stopped (tty input)\0"
        "Stopped (tty output)\0"
        "Urgent I/O condition\0"
        "CPU time limit exceeded\0"
        "File size limit exceeded\0"
        "Virtual timer expired\0"
        "Profiling timer expired\0"
        "Window changed\0"
        "I/O possible\0"
        "Power failure\0"
        "Bad system call\0";
    const char *name = names;
    if (number >= 1 && number <= 31) {
        while (--number)
            name += strlen(name) + 1;
        return (char *)name;
    }
    sprintf(__brownout_strsignal_text, "Unknown signal %d", number);
    return __brownout_strsignal_text;
}
