//! Freshness goes through struct copies and memcpy.
//@ nv: !globals
#include <brownout.h>
#include <string.h>
int read_temp(void) BROWNOUT_INPUT BROWNOUT_MOST_RECENT;
void send(int) BROWNOUT_OUTPUT(absolute);

struct sample { int time, value; };

int main(void) {
    struct sample first = { 1, 0 }, second, third[2];
    first.value = read_temp();   //~ ERROR [stale-input] a reading of `read_temp` is 1 commit old
    second = first;
    memcpy(&third[1], &second, sizeof second);
    brownout_checkpoint();
    send(third[1].value);        //~ NOTE [stale-input] used here
    return 0;
}
