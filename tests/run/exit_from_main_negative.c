//! Returning a negative value from main gives its low byte as status.
#include <stdio.h>
int main(int argc, char **argv) { printf("%d %d %d\n", argc, argv != 0, argv[argc] == 0); return -3; }
