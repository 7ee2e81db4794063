//! A structure is copied to the place that its own number says.
//@ args: --static
//@ config: [[input]]
//@ config: function = "radio_fetch"
//@ config: fills = "arg0"
//@ config: length = "arg1"
#include <brownout.h>

struct message {
    int number;
    int words[3];
};

void radio_fetch(void *to, unsigned int bytes);

struct message window[4];

int main(void) {
    struct message message;
    brownout_checkpoint();
    radio_fetch(&message, sizeof message);
    window[message.number & 3] = message; //~ ERROR [tainted-address] `window
    return 0;
}
