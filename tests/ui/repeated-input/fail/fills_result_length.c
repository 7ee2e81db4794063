//! The answer of the radio says how much it has received; an empty packet changes nothing.
//@ args: --static
//@ config: [[input]]
//@ config: function = "radio_receive"
//@ config: fills = "arg0"
//@ config: length = "result"
#include <brownout.h>

int radio_receive(unsigned char *to);

int command;
int argument;

int main(void) {
    for (;;) {
        unsigned char packet[4];
        brownout_checkpoint();
        int length = radio_receive(packet);
        if (length > 0) {         //~ ERROR [repeated-input] whether `argument` and `command` are written
            if (packet[0] == 7) { //~ ERROR [repeated-input] whether `argument` and `command` are written
                command = packet[1];
                argument = packet[2];
            }
        }
    }
}
