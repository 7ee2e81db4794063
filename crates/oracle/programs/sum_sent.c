//! A sum of readings is sent: the second attempt adds to what the first one has added.
//@ static fresh: harm
//@ static: harm
//@ input sense: 21 22 40 18 33 27 19 44
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int sum;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        sum = sum + sense();    //~ static: send, sum
        send(sum);              //~^ static fresh: send, sum
    }
    return 0;
}
