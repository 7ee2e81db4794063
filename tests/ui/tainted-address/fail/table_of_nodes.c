//! A packet says which node it comes from; that node's entry is updated.
//@ args: --static
//@ config: [[input]]
//@ config: function = "radio_receive"
//@ config: fills = "arg0"
//@ config: length = "arg1"
#include <brownout.h>

struct packet {
    unsigned char node;
    unsigned char flags;
    int value;
};

struct node {
    int value;
    int heard;
};

void radio_receive(void *to, int bytes);

struct node nodes[16];

int main(void) {
    for (;;) {
        struct packet packet;
        brownout_checkpoint();
        radio_receive(&packet, sizeof packet);
        struct node *node = &nodes[packet.node & 15];
        node->value = packet.value; //~ ERROR [tainted-address] `nodes
        node->heard = 1;            //~ ERROR [tainted-address] `nodes
    }
}
