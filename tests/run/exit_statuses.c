//! A status larger than a byte is truncated and output without newline is flushed at exit.
#include <stdio.h>
#include <stdlib.h>

static void leave(int code) { printf("leaving with %d", code & 255); exit(code); }
int main(void) {
    printf("start\n");
    fflush(stdout);
    setvbuf(stdout, 0, _IOFBF, 64);
    for (int i = 0; i < 40; i++) printf("%d ", i);
    leave(0x1234);
}
