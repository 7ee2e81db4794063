//! The answer says how much of the buffer was filled: after a failure a shorter message leaves the end of a longer one.
//@ config: [[input]]
//@ config: function = "receive"
//@ config: fills = "arg0"
//@ config: length = "result"
//@ config: range = [0, 8]
#include <brownout.h>
#include <stdio.h>

int receive(char *buffer, int capacity);

BROWNOUT_NV char line[8];

int main(void) {
    brownout_checkpoint();
    receive(line, sizeof line); //~ ERROR [tainted-address] decides where in `line` is written
    printf("%d %d\n", line[0], line[3]);
    return 0;
}
