//! Constructors run by priority before main and destructors after it in reverse.
#include <stdio.h>

static char log_[16]; static int n; static int table[4];
__attribute__((constructor(300))) static void c300(void) { log_[n++] = '3'; }
__attribute__((constructor(150))) static void c150(void) { log_[n++] = '1'; table[0] = 11; }
__attribute__((constructor)) static void cdef(void) { log_[n++] = 'd'; table[1] = table[0] * 2; }
__attribute__((constructor(200))) static void c200(void) { log_[n++] = '2'; }
__attribute__((destructor(150))) static void d150(void) { printf("dtor 150\n"); }
__attribute__((destructor(300))) static void d300(void) { printf("dtor 300\n"); }
__attribute__((destructor)) static void ddef(void) { printf("dtor default\n"); }
int main(void) { printf("%s %d %d\n", log_, table[0], table[1]); return n; }
