//! The answer of the radio says how much it has received; what an empty packet leaves alone was written before.
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
        command = argument = 0;
        int length = radio_receive(packet);
        if (length > 0) {
            if (packet[0] == 7) {
                command = packet[1];
                argument = packet[2];
            }
        }
    }
}
