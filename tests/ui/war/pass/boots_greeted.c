//! Boots are counted, and each prints a line: nobody misses the second of two equal lines, of the boot that power cut short.
//@ policy: restart
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV volatile unsigned boots, seconds;

int main(void) {
    boots = boots + 1;
    puts("ready");
    for (;;)
        seconds = seconds + boots;
}
