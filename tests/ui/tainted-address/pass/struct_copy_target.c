//! A structure is copied to a fixed place.
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
    window[3] = message;
    return 0;
}
