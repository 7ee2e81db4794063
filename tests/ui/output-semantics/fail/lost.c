//! The flag is set before the packet is sent: a failure in between loses it.
//@ nv: symbol:sent
//@ args: --only output-semantics
//@ config: [[output]]
//@ config: function = "transmit"
//@ config: [power]
//@ config: checkpoints = ["checkpoint"]
void checkpoint(void);
void transmit(int);
int sent;

int main(void) {
    checkpoint();
    if (!sent) {
        sent = 1;
        transmit(5);   //~ ERROR [output-semantics] `transmit` is not made at all when power fails right before it; confirmed
    }
    checkpoint();
    return 0;
}
