//! Registers of a block at a fixed address, reached by a pointer to a structure; the tag is right.
//@ nv: !globals
//@ target: thumbv6m
//@ config: [[output]]
//@ config: register = "0x40020014"
//@ config: semantics = "relative"
//@ config: effect = "pulses += arg0"
//@ config: [environment]
//@ config: pulses = 0
#include <brownout.h>
#include <stdint.h>
struct port {
    volatile uint32_t mode[4], in, out;
};
#define PORT ((struct port *)0x40020000)

int main(void) {
    struct port *port = PORT;
    PORT->mode[0] = 1;
    brownout_checkpoint();
    port->out = 3;
    return 0;
}
