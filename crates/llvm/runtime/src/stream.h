/* stream.h: what a FILE is. */
#ifndef BROWNOUT_STREAM_H
#define BROWNOUT_STREAM_H
#include <stdio.h>

/* On hosted targets the program sees glibc's FILE, whose inline functions look
 * at the flags (bit 4 means end of file, bit 5 an error) and at buffer pointers; with all
 * pointers null those functions call us.  Ours is as large and as empty. */
struct _IO_FILE {
    int flags;
#ifdef __linux__
    void *unused[28];
#endif
};
#define STREAM_ENDED 0x10
#define STREAM_FAILED 0x20

/* 1 for stdout, 2 for stderr, as the machine counts; 0 with an error for stdin. */
int __brownout_stream(FILE *f);
#endif
