//! atexit handlers run in reverse order, may register more, and exit status passes through.
#include <stdio.h>
#include <stdlib.h>

static int n; static void a(void) { printf("a %d\n", n++); } static void b(void) { printf("b %d\n", n++); }
static void late(void) { printf("late %d\n", n++); } static void c(void) { printf("c %d\n", n++); atexit(late); }
static void deep(int k) { if (k == 0) { printf("exiting\n"); exit(37); } deep(k - 1); printf("never\n"); }

int main(void) { printf("%d\n", atexit(a) | atexit(b) | atexit(c) | atexit(a)); deep(5); return 1; }
