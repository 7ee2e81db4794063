//! A message that is remembered, then sent: a failure in between loses it.
//@ restart: harm
//@ static: harm
//@ reactive: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int sent;

int main(void) {
    brownout_checkpoint();
    if (!sent) {
        sent = 1;      //~ static: send
        send(1);       //~^ restart: send
    }                  //~^^ reactive: send
    brownout_checkpoint();
    send(2);
    return 0;
}
