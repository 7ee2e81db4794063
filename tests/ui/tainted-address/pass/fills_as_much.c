//! The answer says how much of the buffer was filled, which was cleared before.
//@ config: [[input]]
//@ config: function = "receive"
//@ config: fills = "arg0"
//@ config: length = "result"
//@ config: range = [0, 8]
#include <brownout.h>
#include <stdio.h>
#include <string.h>

int receive(char *buffer, int capacity);

BROWNOUT_NV char line[8];

int main(void) {
    brownout_checkpoint();
    memset(line, 0, sizeof line);
    receive(line, sizeof line);
    printf("%d %d\n", line[0], line[3]);
    return 0;
}
