//! Reaching the end of main returns zero even after calls that return other values.
#include <stdio.h>
static int f(void) { return 55; }
int main(void) { printf("%d\n", f()); f(); }
