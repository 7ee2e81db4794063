//! The other member of the copy is not from outside.
//@ nv: !globals
#include <brownout.h>
#include <string.h>
int read_temp(void) BROWNOUT_INPUT BROWNOUT_MOST_RECENT;
void send(int) BROWNOUT_OUTPUT(absolute);

struct sample { int time, value; };

int main(void) {
    struct sample first = { 1, 0 }, second, third[2];
    first.value = read_temp();
    second = first;
    memcpy(&third[1], &second, sizeof second);
    send(third[1].value);
    brownout_checkpoint();
    send(third[1].time);
    return 0;
}
