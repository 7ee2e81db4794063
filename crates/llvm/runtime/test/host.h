/* host.h: what the two halves of the host test share. */
#ifndef HOST_H
#define HOST_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned long cases, failures;
uint64_t random64(void);
unsigned below(unsigned n);
/* Counts one case, and complains if it failed. */
void check(int ok, const char *format, ...);
double random_double(void);

/* What the library wrote to a stream since the last call. */
extern char written[];
extern size_t written_size, write_calls;

void test_text(void);
void test_wide(void);
void test_long(void);
#endif
